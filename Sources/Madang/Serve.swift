// `madang serve`: the server, from its settings to its final report.
// Decisions: 076, 089 (docs/decisions).
import ArgumentParser
import Commands
import Copies
import CoreMetrics
import Dispatch
import Foundation
import Glibc
import Locks
import Logging
import Logs
import Net
import PrometheusExporter
import Server
import Store

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve games.",
    discussion: """
      Prints one line `ready ws://HOST:PORT/v1/play` once it listens; with --admin-port before it the line `admin \
      http://HOST:PORT/?token=…`, which operators open in a browser. Tools send the token as `Authorization: Bearer` to \
      /metrics (Prometheus) and /stats (JSON; see madang top). Every setting can also come from a variable \
      (MADANG_HOST, MADANG_PORT, MADANG_TICK_HZ, MADANG_PUBLIC_URL, …) or from a JSON file named by --config \
      ({"host": "0.0.0.0", "tickHz": 10, "publicUrl": "https://play.example.org"}); flags come first, then variables, \
      then the file. The server refuses an unknown name in the file, and warns of an unknown variable.

      SIGTERM or SIGINT ends it in good order: nothing new begins, clients learn when to come back, running games \
      may end within the grace time; rooms that are left are written down and go on at the next start, as they do after \
      a crash. A second signal ends it at once. SIGHUP reads certificate and key again, and lists of words; \
      nobody loses a connection, and a bad file changes nothing.
      """
  )

  @OptionGroup var options: ServeOptions
  @OptionGroup(title: "Photos of countries") var photoOptions: PhotoOptions
  @OptionGroup(title: "Copies") var copyOptions: CopyOptions
  @OptionGroup(title: "Map") var mapOptions: MapOptions
  @OptionGroup(title: "Words") var wordOptions: WordListOptions
  @OptionGroup(title: "Operators") var operatorOptions: OperatorOptions

  func run() async throws {
    // The store holds players' private data.
    umask(0o077)
    // The reader of the log may end before the server.
    signal(SIGPIPE, SIG_IGN)
    atexit { LogWriter.standardError.flush() }
    DescriptorLimit.raise()
    let settings = try Settings(file: options.config)
    var (configuration, folder, address) = try options.resolve(settings)
    configuration.photos = try photoOptions.resolve(settings, data: folder)
    configuration.map = mapOptions.resolve(settings)
    let words = wordOptions.resolve(settings)
    configuration.gateway.words = try words.read()
    let dataBytesMax = try options.dataBytesMax(settings)
    let exporter = PrometheusExporter.describingServer()
    let operators = try operatorOptions.resolve(
      settings,
      trusting: configuration.listener.trustedProxies,
      folder: folder,
      exporter
    )
    if operators != nil {
      MetricsSystem.bootstrap(exporter)
      configuration.metrics = exporter
    }
    let log = ServerLog()
    let logger = log.server
    configuration.notifyOperator = { log.log($0) }
    // Other programs may own such a name, so it is only a warning.
    for complaint in Setting.complaints(about: ProcessInfo.processInfo.environment.keys) {
      logger.warning("\(complaint)")
    }
    try ServeOptions.makeFolder(folder)
    let store = try SQLiteStore(folder: folder, bytesMax: dataBytesMax)
    if try SampleSchools.fill(store, at: .now) {
      logger.notice("no list of schools was imported, so there are invented ones: see madang schools import")
    }
    let copies = try copyOptions.resolve(settings, of: store, in: folder) { log.log($0) }
    if let complaint = copyOptions.complaint(settings, about: folder) { logger.warning("\(complaint)") }
    if let copies { configuration.copyStatus = { copies.status } }
    copies?.begin()
    let restoration = try Restoration(from: store)
    for complaint in restoration.complaints { logger.error("\(complaint)") }
    // Time never goes back, even if the machine's clock has been set back.
    let clock = SystemClock(notBefore: restoration.lastAliveMilliseconds)
    let server = try GameServer(configuration, store, restoration, on: address, clock: clock)
    if !server.takesPictures {
      logger.notice("no pictures are taken: there is no program vips (libvips-tools, --vips), or no folder for uploads")
    }
    if configuration.photos != nil, !server.servesPhotos {
      logger.notice("no photos of countries are served: there is no program vips, or no folder for them")
    }
    if let map = configuration.map, access(map.library, R_OK) != 0 {
      logger.notice("pages draw no map: maplibre-gl.js is not beside the program (see scripts/install)")
    }
    let (reports, continuation) = AsyncStream.makeStream(of: ServerReport.self)
    let manager = NotificationSocket(socket: ProcessInfo.processInfo.environment["NOTIFY_SOCKET"])
    let ending = Ending(of: server, manager) { continuation.yield($0) }
    let operatorServer = try operators.map { configuration, address in
      var configuration = configuration
      configuration.end = { ending.begin() }
      return try OperatorServer(configuration, for: server, on: address, clock: clock)
    }
    // Signals are watched before the server says that it is ready, so that an immediate signal is handled.
    let signals = Self.watchSignals(ending, logger)
    let reloads = Self.watchReloads(server, words, logger, isManaged: manager != nil)
    // A crash leaves a stale link.
    OperatorLink.remove(from: folder)
    if let operatorServer {
      try OperatorLink.write(operatorServer.localLink, in: folder)
      print("admin \(operatorServer.link)")
    }
    if let operatorServer, !operatorServer.isForThisMachine {
      logger.warning(
        """
        the operators' listener takes connections from other machines without TLS, so passwords and tokens can be read \
        on the way: use --admin-host 127.0.0.1 behind a proxy with TLS, or a tunnel
        """
      )
    }
    print("ready \(server.origin)/v1/play")
    fflush(nil)
    manager?.tell(.ready("serving \(server.origin)"))
    logger.info(
      "serving",
      metadata: [
        "version": "\(GameServer.version)", "address": "\(server.address)", "shards": "\(server.shardCount)",
        "rooms": "\(restoration.roomCount)",
      ]
    )
    if let publicURL = configuration.publicURL {
      if QR.isLoopback(publicURL) {
        logger.notice("join URLs and QRs name \(publicURL), which phones do not reach")
      }
    } else {
      let report = JoinAddressReport(base: server.joinBase, listener: server.address, machine: InterfaceAddress.all())
      logger.notice("\(report.text)")
    }
    var last: ServerReport?
    for await report in reports {
      last = report
      for line in report.lines { logger.info("\(line)") }
      break
    }
    if let operatorServer {
      OperatorLink.remove(from: folder)
      operatorServer.stop()
    }
    copies?.stop()
    store.close()
    copies?.finish(within: .seconds(10))
    if let failure = last?.storeFailure {
      logger.error("the store failed to the end, and what waited for it is lost: \(failure)")
    }
    withExtendedLifetime((signals, reloads)) {}
  }

  /// Reloads certificate and key, and the list of words, at each SIGHUP. Without either it does nothing for a service
  /// manager; in a terminal it ends the process, as the terminal's end should.
  private static func watchReloads(
    _ server: GameServer,
    _ words: WordListFiles,
    _ logger: Logger,
    isManaged: Bool
  ) -> SignalWatch? {
    guard isManaged || server.speaksTLS || !words.paths.isEmpty else { return nil }
    return SignalWatch([SIGHUP], queue: DispatchQueue(label: "madang.reloads")) { _ in
      if server.speaksTLS { reloadCertificate(of: server, logger) }
      if !words.paths.isEmpty { reload(words, of: server, logger) }
    }
  }

  private static func reloadCertificate(of server: GameServer, _ logger: Logger) {
    do throws(TLSFailure) {
      try server.reloadCertificate()
      logger.info("certificate read again")
    } catch {
      logger.error("the certificate stays as it was: \(error)")
    }
  }

  private static func reload(_ words: WordListFiles, of server: GameServer, _ logger: Logger) {
    do throws(ValidationError) {
      let list = try words.read()
      server.replaceWords(list)
      logger.info("list of words read again", metadata: ["words": "\(list.count)"])
    } catch {
      logger.error("the list of words stays as it was: \(error.message)")
    }
  }

  /// Drains the server at the first signal and ends the process at the second. If an operator has asked for the end
  /// before, the first signal ends the process.
  private static func watchSignals(_ ending: Ending, _ logger: Logger) -> SignalWatch {
    SignalWatch([SIGTERM, SIGINT], queue: DispatchQueue(label: "madang.signals")) { number in
      guard ending.begin() else { _exit(128 + number) }
      logger.info("ending", metadata: ["signal": "\(number)"])
    }
  }
}

/// The server's orderly end, which a signal or an operator may request. Any thread.
private final class Ending: Sendable {
  private let server: GameServer
  private let manager: NotificationSocket?
  private let completion: @Sendable (ServerReport) -> Void
  private let hasBegun = OrderedMutex(.leaf, false)

  init(
    of server: GameServer,
    _ manager: NotificationSocket?,
    _ completion: @escaping @Sendable (ServerReport) -> Void
  ) {
    self.server = server
    self.manager = manager
    self.completion = completion
  }

  /// Drains the server; returns false and does nothing when that has begun already.
  @discardableResult
  func begin() -> Bool {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    if isFirst {
      manager?.tell(.stopping("running games may end"))
      server.drain(completion)
    }
    return isFirst
  }
}
