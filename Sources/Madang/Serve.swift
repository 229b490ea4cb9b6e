// `madang serve`: the server, from its settings to its last word.
import ArgumentParser
import Configuration
import Dispatch
import Glibc
import Logging
import Net
import Server
import Synchronization

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve games.",
    discussion: """
      Prints one line `ready ws://HOST:PORT/v1/play` once it listens. Every setting can also come from a variable \
      (MADANG_HOST, MADANG_PORT, MADANG_TICK_HZ, MADANG_PUBLIC_URL, …) or from a JSON file named by --config \
      ({"host": "0.0.0.0", "tickHz": 10, "publicUrl": "https://play.example.org"}); flags come first, then variables, \
      then the file.

      SIGTERM or SIGINT ends it in good order: nothing new begins, clients are told when to come back, running games \
      may end within the grace time. A second signal ends it at once. SIGHUP reads the TLS certificate and key again; \
      nobody loses a connection, and a bad file changes nothing.
      """
  )

  @Option(help: "The address to listen on (default: 127.0.0.1).")
  var host: String?

  @Option(help: "The port to listen on; 0 takes a free one (default: 8080).")
  var port: Int?

  @Option(help: "The folder for what lasts; made if missing (default: data). Rooms live in memory as yet.")
  var data: String?

  @Option(help: "Ticks a second of rooms that name none, 1 to 20 (default: 10).")
  var tickHz: Int?

  @Option(help: "How many shards, each with a queue of its own (default: one a core).")
  var shards: Int?

  @Option(
    name: .customLong("public-url"),
    help: "What join URLs begin with, scheme and host (default: the address served)."
  )
  var publicURL: String?

  @Option(help: "The folder that the pages lie in (default: beside the program).")
  var webRoot: String?

  @Option(help: "Seconds that running games may go on after SIGTERM, 0 to 3600 (default: 30).")
  var graceSeconds: Int?

  @Option(help: "A PEM file with the server's certificate and its chain; with it the port speaks TLS alone.")
  var tlsCertificate: String?

  @Option(help: "The PEM file of the certificate's private key.")
  var tlsKey: String?

  @Option(help: "Proxies whose X-Forwarded-For is believed: addresses and networks, with commas (10.0.0.0/8,::1).")
  var trustedProxies: String?

  @Flag(help: "Connections from trusted proxies begin with a header of the PROXY protocol (version 1 or 2).")
  var proxyProtocol = false

  @Option(help: "How many connections one address may have; the loopback has no limit (default: 4096).")
  var maxConnectionsPerAddress: Int?

  @Option(help: "How many connections there may be in all (default: what the process may open, less 256).")
  var maxConnections: Int?

  @Flag(help: "Serve /echo for WebSocket conformance suites.")
  var conformance = false

  @Option(help: "A JSON file with settings.")
  var config: String?

  func run() async throws {
    let logger = Logger(label: "madang")
    DescriptorLimit.raise()
    let (configuration, address) = try await settle()
    let server = try GameServer(configuration, on: address)
    let (reports, continuation) = AsyncStream.makeStream(of: ServerReport.self)
    // Before anyone is told that the server is ready, so that whoever ends it at once is heard.
    let signals = Self.watchSignals(server, logger) { continuation.yield($0) }
    let reloads = Self.watchReloads(server, logger)
    print("ready \(server.origin)/v1/play")
    fflush(nil)
    logger.info("serving", metadata: ["address": "\(server.address)", "shards": "\(server.shardCount)"])
    if configuration.publicURL == nil, server.isOnEveryAddress {
      logger.warning("join URLs and QRs name the address \(server.address): set --public-url to what phones can reach")
    }
    for await report in reports {
      for line in report.lines { logger.info("\(line)") }
      break
    }
    withExtendedLifetime((signals, reloads)) {}
  }

  /// Puts flags, variables, file and defaults together.
  private func settle() async throws -> (ServerConfiguration, ResolvedAddress) {
    let settings = try await Settings(file: config)
    let webRoot = if let webRoot { webRoot } else { try await settings.string("webRoot") ?? Self.bundledWebRoot }
    var configuration = ServerConfiguration(webRoot: webRoot)
    configuration.tickHz = try await number(tickHz, "tickHz", in: 1...20, settings) ?? configuration.tickHz
    configuration.shards = try await number(shards, "shards", in: 1...256, settings)
    let base = if let publicURL { publicURL } else { try await settings.string("publicUrl") }
    configuration.publicURL = try base.map(Self.checkedPublicURL)
    let grace = try await number(graceSeconds, "graceSeconds", in: 0...3_600, settings)
    configuration.graceSeconds = grace.map(Int64.init) ?? configuration.graceSeconds
    configuration.conformance = if conformance { true } else { try await settings.bool("conformance") ?? false }
    configuration.entrance = try await entrance(settings)
    let perAddress = try await number(maxConnectionsPerAddress, "maxConnectionsPerAddress", in: 1...1_000_000, settings)
    configuration.netLimits.connectionsPerAddressMax = perAddress ?? configuration.netLimits.connectionsPerAddressMax
    let inAll = try await number(maxConnections, "maxConnections", in: 1...10_000_000, settings)
    let possible = configuration.netLimits.connectionsMax
    configuration.netLimits.connectionsMax = min(inAll ?? possible, possible)
    let folder = if let data { data } else { try await settings.string("data") ?? "data" }
    try Self.makeFolder(folder)
    let host = if let host { host } else { try await settings.string("host") ?? "127.0.0.1" }
    let port = try await number(port, "port", in: 0...65_535, settings) ?? 8_080
    return (configuration, try ResolvedAddress(host: host, port: UInt16(port)))
  }

  private func number(
    _ flag: Int?,
    _ name: String,
    in range: ClosedRange<Int>,
    _ settings: Settings
  ) async throws -> Int? {
    guard let flag else { return try await settings.int(ConfigKey(stringLiteral: name), in: range) }
    guard range.contains(flag) else {
      throw ValidationError("\(name) is \(flag), out of \(range.lowerBound) to \(range.upperBound).")
    }
    return flag
  }

  /// How newcomers come in, by the settings.
  private func entrance(_ settings: Settings) async throws -> Entrance {
    let certificate = if let tlsCertificate { tlsCertificate } else { try await settings.string("tlsCertificate") }
    let key = if let tlsKey { tlsKey } else { try await settings.string("tlsKey") }
    let proxies = if let trustedProxies { trustedProxies } else { try await settings.string("trustedProxies") ?? "" }
    var entrance = Entrance()
    entrance.trustedProxies = TrustedProxies(
      try proxies.split(separator: ",").map { try IPNetwork(String($0.drop { $0 == " " })) }
    )
    entrance.expectsProxyHeader = if proxyProtocol { true } else { try await settings.bool("proxyProtocol") ?? false }
    if entrance.expectsProxyHeader, entrance.trustedProxies.isEmpty {
      throw ValidationError("--proxy-protocol needs --trusted-proxies: a stranger's header is not believed.")
    }
    switch (certificate, key) {
    case (let certificate?, let key?): entrance.certificate = try TLSCertificate(certificate: certificate, key: key)
    case (nil, nil): break
    default: throw ValidationError("--tls-certificate and --tls-key go together.")
    }
    return entrance
  }

  /// Reads certificate and key again at each SIGHUP; nil without TLS, where SIGHUP ends the process as it always does.
  private static func watchReloads(_ server: GameServer, _ logger: Logger) -> SignalWatch? {
    guard server.speaksTLS else { return nil }
    return SignalWatch([SIGHUP], queue: DispatchQueue(label: "madang.reloads")) { _ in
      do throws(TLSFailure) {
        try server.reloadCertificate()
        logger.info("certificate read again")
      } catch {
        logger.error("the certificate stays as it was: \(error)")
      }
    }
  }

  /// Drains the server at the first signal, ends the process at the second.
  private static func watchSignals(
    _ server: GameServer,
    _ logger: Logger,
    _ completion: @escaping @Sendable (ServerReport) -> Void
  ) -> SignalWatch {
    let wasAsked = Mutex(false)
    return SignalWatch([SIGTERM, SIGINT], queue: DispatchQueue(label: "madang.signals")) { number in
      let isSecond = wasAsked.withLock { asked in
        defer { asked = true }
        return asked
      }
      guard !isSecond else { _exit(128 + number) }
      logger.info("ending", metadata: ["signal": "\(number)"])
      server.drain(completion)
    }
  }

  /// Scheme, host and port alone: all of it is put in upper case for the QR, which a path would not bear.
  private static func checkedPublicURL(_ text: String) throws -> String {
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    let host = ["https://", "http://"].first { base.hasPrefix($0) }.map { base.dropFirst($0.count) }
    guard let host, !host.isEmpty, !host.contains("/") else {
      throw ValidationError("The public URL \(text) is not like https://play.example.org.")
    }
    return base
  }

  private static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, access(path, W_OK | X_OK) == 0 else {
      throw ValidationError("can't write to the folder \(path): \(String(cString: strerror(errno))).")
    }
  }

  /// Where the build lays the pages: beside the program.
  private static var bundledWebRoot: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return "Web" }
    let program = String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = program.lastIndex(of: "/").map { program[..<$0] } ?? "."
    return "\(folder)/madang_Server.resources/Web"
  }
}
