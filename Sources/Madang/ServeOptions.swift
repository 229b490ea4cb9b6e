// The options of `madang serve`, and the merging of flags, variables, a file and defaults.
import ArgumentParser
import Commands
import Game
import Glibc
import Logging
import Logs
import Net
import Server
import Store

struct ServeOptions: ParsableArguments {
  @Option(help: "The address to listen on (default: 127.0.0.1).")
  var host: String?

  @Option(help: "The port to listen on; 0 takes a free one (default: 8080).")
  var port: Int?

  @Option(help: "The data folder; made if missing (default: data). One server at a time.")
  var data: String?

  @Option(
    help: """
      The size limit of the data folder in GiB, 1 to 1000000. Beyond it the server goes on as with a full disk until \
      maintenance has freed space (default: the disk's size).
      """
  )
  var maxDataGib: Int?

  @Option(help: "Days that the journals of finished games are kept, and with them tracks, 0 to 3650 (default: 7).")
  var keepJournalsDays: Int?

  @Option(help: "The time zone of players' days (default: Asia/Seoul).")
  var timeZone: String?

  @Option(help: "Ticks a second of rooms that name none, 1 to 20 (default: \(RoomConfiguration.tickHzDefault)).")
  var tickHz: Int?

  @Option(
    help: "The share of withheld fixes, in per cent, up to which a run is in rankings, 0 to 100 (default: 5)."
  )
  var withheldPercentMax: Int?

  @Option(help: "The number of shards, each of which uses at most one core (default: one a core).")
  var shards: Int?

  @Option(
    name: .customLong("public-url"),
    help: "The scheme and host of join URLs (default: the host that each client has asked, else the address served)."
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

  @Option(
    help: """
      Proxies whose X-Forwarded-For is believed, on the operators' listener too: addresses and networks, with commas \
      (10.0.0.0/8,::1).
      """
  )
  var trustedProxies: String?

  @Flag(help: "Connections from trusted proxies begin with a header of the PROXY protocol (version 1 or 2).")
  var proxyProtocol = false

  @Option(help: "The limit of connections for one address; the loopback has none (default: 4096).")
  var maxConnectionsPerAddress: Int?

  @Option(help: "The limit of connections (default: the process's limit of descriptors, less 256 or a quarter).")
  var maxConnections: Int?

  @Option(help: "The limit of open rooms (default: 20000).")
  var maxRooms: Int?

  @Flag(
    help: """
      Webhooks may have addresses of this machine and of private networks, and addresses without TLS.
      """
  )
  var webhookPrivateAddresses = false

  @Option(help: "A PEM file of certificates that webhooks' addresses are checked against, instead of the system's.")
  var webhookAuthorities: String?

  @Option(
    help: """
      The program of libvips that cleans uploaded pictures; without it no pictures are taken (default: vips, where \
      programs are looked for).
      """
  )
  var vips: String?

  @Flag(help: "Limits hold for the loopback too, as for any address (for tests of the limits).")
  var limitLoopback = false

  @Option(
    help: """
      Origins whose pages may connect, with commas (https://a.example,https://b.example:8443), or * for all; pages of \
      this host and of the public URL always may.
      """
  )
  var allowedOrigins: String?

  @Flag(help: "Agree to no compression (RFC 7692), which costs CPU to save bytes.")
  var noCompression = false

  @Flag(help: "Refuse messages with fields that the protocol does not have, for who writes a client.")
  var strict = false

  @Flag(help: "Serve /echo for WebSocket conformance suites.")
  var conformance = false

  @Flag(
    help: "The machine's clock is right, however far it is from the last commit; for one start (see accept-clock)."
  )
  var acceptClock = false

  @Option(
    help: "The lowest level of logged events, and levels of single labels: info,madang.rooms=debug (default: info)."
  )
  var logLevel: String?

  @Option(
    help: "The format of the log, text, json or journal (default: text in a terminal, journal for systemd, else json)."
  )
  var logFormat: String?

  @Option(help: "A JSON file with settings.")
  var config: String?

  /// Merges flags, variables, file and defaults.
  func resolve(_ settings: Settings) throws -> (ServerConfiguration, folder: String, ResolvedAddress) {
    try beginLogging(settings)
    let webRoot = text(webRoot, .webRoot, settings) ?? Self.bundledWebRoot
    var configuration = ServerConfiguration(webRoot: webRoot)
    configuration.tickHz = try number(tickHz, .tickHz, in: 1...20, settings) ?? configuration.tickHz
    let withheld = try number(withheldPercentMax, .withheldPercentMax, in: 0...100, settings)
    configuration.withheldPercentMax = withheld ?? configuration.withheldPercentMax
    configuration.shards = try number(shards, .shards, in: 1...256, settings)
    configuration.publicURL = try text(publicURL, .publicUrl, settings).map(Self.checkedPublicURL)
    let grace = try number(graceSeconds, .graceSeconds, in: 0...3_600, settings)
    configuration.gateway.graceSeconds = grace.map(Int64.init) ?? configuration.gateway.graceSeconds
    configuration.gateway.conformance = try isSet(conformance, .conformance, settings)
    let isDebugged = Logger(label: LogLabel.net.rawValue).logLevel <= .debug
    let isStrict = try isSet(strict, .strict, settings)
    configuration.gateway.unknownFields = isStrict ? .refused : isDebugged ? .reported : .ignored
    try configuration.allowOrigins(text(allowedOrigins, .allowedOrigins, settings) ?? "")
    configuration.gateway.compresses = try !isSet(noCompression, .noCompression, settings)
    configuration.listener = try listener(settings)
    let perAddress = try number(maxConnectionsPerAddress, .maxConnectionsPerAddress, in: 1...1_000_000, settings)
    configuration.netLimits.connectionsPerAddressMax = perAddress ?? configuration.netLimits.connectionsPerAddressMax
    let inAll = try number(maxConnections, .maxConnections, in: 1...10_000_000, settings)
    let possible = configuration.netLimits.connectionsMax
    configuration.netLimits.connectionsMax = min(inAll ?? possible, possible)
    configuration.netLimits.limitsLoopback = try isSet(limitLoopback, .limitLoopback, settings)
    let rooms = try number(maxRooms, .maxRooms, in: 1...1_000_000, settings)
    configuration.roomsMax = rooms ?? configuration.roomsMax
    let keepDays = try number(keepJournalsDays, .keepJournalsDays, in: 0...3_650, settings)
    if let keepDays { configuration.gateway.keepJournals = .seconds(keepDays * 86_400) }
    if let zone = text(timeZone, .timeZone, settings) { configuration.days = try DayRanges(timeZone: zone) }
    configuration.webhookSender = HTTPWebhookSender(
      version: GameServer.version,
      allowsPrivateAddresses: try isSet(webhookPrivateAddresses, .webhookPrivateAddresses, settings),
      authorities: text(webhookAuthorities, .webhookAuthorities, settings)
    )
    configuration.gateway.acceptsClock = try isSet(acceptClock, .acceptClock, settings)
    let folder = text(data, .data, settings) ?? "data"
    configuration.gateway.clockRecord = ClockFile(folder: folder)
    configuration.media = MediaConfiguration(folder: folder + "/uploads", program: text(vips, .vips, settings))
    let host = text(host, .host, settings) ?? "127.0.0.1"
    let port = try number(port, .port, in: 0...65_535, settings) ?? 8_080
    return (configuration, folder, try ResolvedAddress(host: host, port: UInt16(port)))
  }

  /// The bound on the data folder in bytes; nil for no bound but the disk's.
  func dataBytesMax(_ settings: Settings) throws -> Int? {
    try number(maxDataGib, .maxDataGib, in: 1...1_000_000, settings).map { $0 << 30 }
  }

  private func beginLogging(_ settings: Settings) throws {
    let named = text(logFormat, .logFormat, settings)
    guard let format = named.map(LineLogHandler.Format.init(rawValue:)) ?? .ofStandardError else {
      throw ValidationError("--log-format must be text, json or journal.")
    }
    let list = text(logLevel, .logLevel, settings) ?? ""
    let levels: LogLevels
    do throws(LogLevels.Fault) {
      levels = try LogLevels(list)
    } catch {
      throw ValidationError("--log-level: \(error).")
    }
    LoggingSystem.bootstrap { label in LineLogHandler(label: label, format, levels) }
  }

  private func text(_ option: String?, _ setting: Setting, _ settings: Settings) -> String? {
    if let option { option } else { settings.string(setting) }
  }

  private func isSet(_ flag: Bool, _ setting: Setting, _ settings: Settings) throws -> Bool {
    if flag { true } else { try settings.bool(setting) ?? false }
  }

  private func number(
    _ flag: Int?,
    _ setting: Setting,
    in range: ClosedRange<Int>,
    _ settings: Settings
  ) throws -> Int? {
    guard let flag else { return try settings.int(setting, in: range) }
    guard range.contains(flag) else { throw setting.isOut(of: range, flag) }
    return flag
  }

  /// The listener's configuration for new connections, by the settings.
  private func listener(_ settings: Settings) throws -> ListenerConfiguration {
    let certificate = text(tlsCertificate, .tlsCertificate, settings)
    let key = text(tlsKey, .tlsKey, settings)
    let proxies = text(trustedProxies, .trustedProxies, settings) ?? ""
    var listener = ListenerConfiguration()
    listener.trustedProxies = TrustedProxies(
      try proxies.split(separator: ",").map { try IPNetwork(String($0.drop { $0 == " " })) }
    )
    listener.expectsProxyHeader = try isSet(proxyProtocol, .proxyProtocol, settings)
    if listener.expectsProxyHeader, listener.trustedProxies.isEmpty {
      throw ValidationError("--proxy-protocol needs --trusted-proxies: a stranger's header is not believed.")
    }
    switch (certificate, key) {
    case (let certificate?, let key?): listener.certificate = try TLSCertificate(certificate: certificate, key: key)
    case (nil, nil): break
    default: throw ValidationError("--tls-certificate and --tls-key go together.")
    }
    return listener
  }

  /// Accepts only scheme, host and port: the QR has all of it in upper case, which would break a path.
  private static func checkedPublicURL(_ text: String) throws -> String {
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    let host = ["https://", "http://"].first { base.hasPrefix($0) }.map { base.dropFirst($0.count) }
    guard let host, !host.isEmpty, !host.contains("/") else {
      throw ValidationError("The public URL \(text) is not like https://play.example.org.")
    }
    let name = host.hasPrefix("[") ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    if let ip = IPAddress(String(name)), ip.isUnspecified {
      throw ValidationError(
        """
        The public URL \(text) leads to no machine: \(name) stands for all addresses of one. Give the name or the address \
        that phones reach, or no public URL.
        """
      )
    }
    return base
  }

  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, access(path, W_OK | X_OK) == 0 else {
      if errno == EACCES {
        throw ValidationError("\(FolderPermission.complaint("can't write to the folder \(path)", about: path)).")
      }
      throw ValidationError("can't write to the folder \(path): \(String(cString: strerror(errno))).")
    }
  }

  /// The folder of the built web pages.
  private static var bundledWebRoot: String { "\(bundledResources)/Web" }

  /// The folder of what the program needs, beside it.
  static var bundledResources: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return "." }
    let program = String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = program.lastIndex(of: "/").map { program[..<$0] } ?? "."
    return "\(folder)/madang_Server.resources"
  }
}
