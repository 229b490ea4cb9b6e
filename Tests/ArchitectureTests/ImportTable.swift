// Which target may import what: the order of the parts, as data. Whoever adds a row or a module here changes the
// architecture and says why in ARCHITECTURE.md. Own targets come first in a row, then packages, then system modules.

enum ImportTable {
  /// The C library by the name it has on each system.
  private static let cLibrary = ["Glibc", "Musl", "Darwin"]
  /// The single modules of swift-collections; never the umbrella `Collections`, which links them all.
  private static let collections = [
    "BitCollections", "DequeModule", "HashTreeCollections", "HeapModule", "OrderedCollections",
  ]

  /// By the folder of the target.
  static let allowed: [String: [String]] = [
    "Protocol": ["SwiftProtobuf"],
    "Cryptography": ["COpenSSL"],
    "WebSocket": ["Cryptography", "CZlib"],
    "Game": collections,
    "Store": ["Game", "Cryptography", "GRDB", "Dispatch", "Synchronization"] + cLibrary,
    "Net": ["WebSocket", "CLinux", "COpenSSL", "Logging", "Dispatch", "Synchronization"] + cLibrary,
    "PrometheusExporter": ["CoreMetrics", "Synchronization"],
    "Server": [
      "MadangProtocol", "Cryptography", "WebSocket", "Game", "Store", "Net",
      "CQREncode", "DequeModule", "Logging", "CoreMetrics", "Dispatch", "Synchronization",
    ] + cLibrary,
    "Madang": [
      "Server", "Store", "Game", "Net", "Cryptography", "PrometheusExporter",
      "ArgumentParser", "Configuration", "CoreMetrics", "Logging", "Dispatch", "Synchronization", "Foundation",
      "FoundationEssentials",
    ] + cLibrary,
    "loadtest": [
      "MadangProtocol", "WebSocket", "Net",
      "ArgumentParser", "Histogram", "Yams", "Logging", "Dispatch", "Synchronization", "Foundation", "FoundationXML",
    ] + cLibrary,
    "Benchmarks/Madang": [
      "WebSocket", "Net", "MadangProtocol", "Game", "Store", "Server", "SeededRandom", "ArgumentParser", "Histogram",
      "Dispatch", "Synchronization",
    ] + cLibrary,
    // A package of its own; nothing of ours.
    "Benchmarks/NIOPeer": ["NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket"] + cLibrary,
  ]

  static func complaints(about file: SourceFile) -> [Complaint] {
    let target = file.targetFolder
    guard let modules = allowed[target] else {
      return [Complaint(path: file.path, line: 1, explanation: "target \(target) has no row in the table of imports")]
    }
    return file.imports.filter { !modules.contains($0.module) }.map {
      Complaint(
        path: file.path,
        line: $0.line,
        explanation: "\(target) imports \($0.module), but may import only \(modules.joined(separator: ", "))"
      )
    }
  }
}

extension SourceFile {
  /// Every module that the file imports, in any form and inside any `#if`, with its line. A submodule or a single
  /// declaration counts as its module.
  var imports: [(module: String, line: Int)] {
    let statement =
      #/
      (?m) (?: ^ | ; ) \s*
      (?: @\w+ (?: \( [^)]* \) )? \s+ )*
      (?: (?: public | package | internal | fileprivate | private ) \s+ )?
      import \s+
      (?: (?: struct | class | enum | protocol | typealias | func | let | var | actor | macro ) \s+ )?
      `? (\w+)
      /#
    return code.matches(of: statement).map { ($0.output.1.description, line(of: $0.output.1.startIndex)) }
  }
}
