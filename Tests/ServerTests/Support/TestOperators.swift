// An operators' listener beside a test's server, on the same clock, with an exporter of its own.
import Foundation
import Net
import PrometheusExporter
import Server
import Store
import StoreDoubles
import TestSupport

final class TestOperators {
  static let token = "a-token-of-tests"

  let game: TestServer
  let operators: OperatorServer
  var port: UInt16 { operators.address.port }

  init(
    shards: Int = 2,
    origin: String? = nil,
    store: any Store = MemoryStore(),
    logEntries: RecentLogEntries? = nil,
    netLimits: NetLimits? = nil,
    listener: ListenerConfiguration = ListenerConfiguration(),
    folder: String? = nil,
    clock: ManualClock = ManualClock(),
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    var descriptions: [String: MetricDescription] = [:]
    for metric in MetricCatalogue.all {
      descriptions[metric.name] = MetricDescription(help: metric.help, bounds: metric.bounds)
    }
    let exporter = PrometheusExporter(describing: descriptions)
    game = try TestServer(shards: shards, store: store, clock: clock) {
      $0.metrics = exporter
      configure(&$0)
    }
    var configuration = try OperatorConfiguration(token: Self.token, origin: origin)
    configuration.writeMetrics = { exporter.text() }
    configuration.logEntries = logEntries
    if let netLimits { configuration.netLimits = netLimits }
    configuration.listener = listener
    configuration.folder = folder
    operators = try OperatorServer(
      configuration,
      for: game.server,
      on: ResolvedAddress(host: "127.0.0.1", port: 0),
      clock: game.clock
    )
  }

  deinit {
    operators.stop()
  }

  /// Sends a GET with these fields beside Host and waits for the answer.
  func get(_ path: String, host: String? = nil, _ fields: String...) throws -> TestHTTP {
    let lines = ["Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"] + fields
    return try TestHTTP.send("GET \(path) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n", port: port)
  }

  /// Sends a form with these fields beside Host and waits for the answer.
  func put(_ path: String, _ form: String, method: String = "PUT", _ fields: String...) throws -> TestHTTP {
    let lines =
      ["Host: 127.0.0.1:\(port)", "Connection: close", "Content-Length: \(form.utf8.count)"] + fields
    return try TestHTTP.send(
      "\(method) \(path) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n\(form)",
      port: port
    )
  }

  static var bearer: String { "Authorization: Bearer \(token)" }

  /// Asks the API by the server's own token, or by the fields of another, and waits for the answer.
  func ask(
    _ method: String,
    _ path: String,
    _ body: String? = nil,
    by token: String = TestOperators.bearer,
    _ fields: String...
  )
    throws -> TestHTTP
  {
    let type = body == nil ? [] : ["Content-Type: application/json", "Content-Length: \(body?.utf8.count ?? 0)"]
    let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close", token] + type + fields
    return try TestHTTP.send(lines.joined(separator: "\r\n") + "\r\n\r\n\(body ?? "")", port: port)
  }

  /// The cookie in exchange for the token.
  func cookie() throws -> String {
    let answer = try get("/?token=\(Self.token)")
    let line = answer.head.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
    guard let value = line?.dropFirst("Set-Cookie: ".count).prefix(while: { $0 != ";" }) else {
      throw TestFailure("no cookie: \(answer.head)")
    }
    return "Cookie: \(value)"
  }

  /// The present metrics, by their series' names with labels.
  func metrics() throws -> Metrics {
    let answer = try get("/metrics", Self.bearer)
    guard answer.status == 200 else { throw TestFailure("no metrics: \(answer.status)") }
    return Metrics(answer.body)
  }

  func stats(_ query: String = "") throws -> [String: Any] {
    let answer = try get("/stats\(query)", Self.bearer)
    let json = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
    guard let object = json as? [String: Any] else { throw TestFailure("no object: \(answer.body)") }
    return object
  }
}

/// A scrape, parsed.
struct Metrics {
  let text: String
  private var values: [String: Double] = [:]

  init(_ text: String) {
    self.text = text
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let blank = line.lastIndex(of: " ") else { continue }
      values[String(line[..<blank])] = Double(line[line.index(after: blank)...])
    }
  }

  /// The value of a series; nil for an absent one.
  subscript(_ series: String) -> Double? { values[series] }

  /// The increase of a series since an earlier scrape.
  func rise(of series: String, since earlier: Metrics) throws -> Double {
    guard let before = earlier[series], let now = self[series] else { throw TestFailure("no series \(series)") }
    return now - before
  }

  var names: Set<String> {
    Set(text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { String($0.split(separator: " ")[2]) })
  }
}
