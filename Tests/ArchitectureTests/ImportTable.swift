// The imports that each target may have: the order of the parts, as data.
//
// A new row or module here changes the architecture; its reason goes into docs/decisions. Own targets come first in a
// row, then packages, then system modules.
// Decisions: 093 (docs/decisions).

enum ImportTable {
  /// The allowed modules, by the folder of the target. Of swift-collections only single modules: the umbrella
  /// `Collections` links them all.
  static let allowed: [String: [String]] = [
    "Protocol": ["SwiftProtobuf"],
    "ConsoleProtocol": ["SwiftProtobuf"],
    "Locks": ["Synchronization", "Glibc"],
    "Cryptography": ["COpenSSL"],
    "HTTPClient": ["Cryptography", "Locks", "CCurl", "Dispatch", "Glibc"],
    "WebSocket": ["Cryptography", "CZlib"],
    "Game": ["DequeModule"],
    "Store": ["Game", "Locks", "GRDB", "GRDBSQLite", "Dispatch", "Synchronization", "Glibc"],
    "Copies": [
      "Game", "Store", "Locks", "Cryptography", "HTTPClient", "CZlib", "Dispatch", "Synchronization", "Glibc",
    ],
    "OperatorAccounts": ["Cryptography", "Game", "Glibc"],
    "Net": ["WebSocket", "Locks", "CLinux", "COpenSSL", "Dispatch", "Synchronization", "Glibc"],
    "PrometheusExporter": ["Locks", "CoreMetrics", "Synchronization"],
    "Gateway": [
      "MadangProtocol", "Cryptography", "WebSocket", "Game", "Store", "Net", "Locks", "DequeModule", "CoreMetrics",
      "Histogram", "Synchronization",
    ],
    "Server": [
      "MadangProtocol", "ConsoleProtocol", "Cryptography", "WebSocket", "Game", "Store", "Net", "Gateway",
      "Locks", "HTTPClient", "OperatorAccounts", "CQREncode", "CZlib", "DequeModule", "CoreMetrics", "Dispatch",
      "Synchronization", "Glibc",
    ],
    "Commands": [
      "MadangProtocol", "ConsoleProtocol", "WebSocket", "Store", "Copies", "Game", "Net", "Cryptography",
      "HTTPClient", "OperatorAccounts", "ArgumentParser", "Dispatch", "Foundation", "Glibc",
    ],
    "Logs": ["Commands", "Server", "Gateway", "Game", "Locks", "Logging", "Dispatch", "Glibc"],
    "Madang": [
      "Commands", "Logs", "Server", "Gateway", "Store", "Copies", "Game", "Net", "Locks", "PrometheusExporter",
      "ArgumentParser", "CoreMetrics", "Logging", "Dispatch", "Foundation", "Glibc",
    ],
    "loadtest": [
      "MadangProtocol", "WebSocket", "Net", "ReceiverErrors", "SeededRandom",
      "ArgumentParser", "Histogram", "Dispatch", "Synchronization", "Foundation", "FoundationXML",
    ],
    "Benchmarks/Madang": [
      "WebSocket", "Net", "MadangProtocol", "Game", "Store", "Server", "SeededRandom", "StoreDoubles",
      "ArgumentParser", "Histogram", "Dispatch", "Synchronization", "Glibc",
    ],
    // A package of its own; nothing of ours.
    "Benchmarks/NIOPeer": ["NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket", "Glibc"],
  ]

  /// Allowed modules that no file of the target imports.
  static func unused(by files: [SourceFile]) -> [String] {
    let imported = Dictionary(grouping: files, by: \.targetFolder).mapValues {
      Set($0.flatMap(\.imports).map(\.module))
    }
    return allowed.sorted { $0.key < $1.key }.flatMap { target, modules in
      modules.filter { imported[target]?.contains($0) != true }.map { "\(target) imports \($0) nowhere" }
    }
  }

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
