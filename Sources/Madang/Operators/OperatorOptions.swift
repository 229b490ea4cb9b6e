// The options of `madang serve` for its operators' listener.
import ArgumentParser
import Commands
import Logs
import Net
import PrometheusExporter
import Server

struct OperatorOptions: ParsableArguments {
  @Option(help: "The port of the operators' listener (metrics, figures); 0 takes a free one (default: none).")
  var adminPort: Int?

  @Option(help: "The address that operators connect to (default: 127.0.0.1).")
  var adminHost: String?

  @Option(help: "The operators' token, 16 letters or more; it is printed at the start (default: a new one each time).")
  var adminToken: String?

  @Option(help: "Where a proxy shows the operators' listener, scheme and host (https://ops.example.org).")
  var adminOrigin: String?

  @Flag(
    help: """
      Operators' connections from trusted proxies begin with a header of the PROXY protocol; without it those proxies' \
      X-Forwarded-For is believed.
      """
  )
  var adminProxyProtocol = false

  /// The configuration and address of the operators' listener; nil without one. It trusts the same `proxies` as the
  /// game's listener. Its metrics are the exporter's. The data folder has the files of operators.
  func resolve(
    _ settings: Settings,
    trusting proxies: TrustedProxies,
    folder: String,
    _ exporter: PrometheusExporter
  ) throws -> (OperatorConfiguration, ResolvedAddress)? {
    let ports = 0...65_535
    if let adminPort, !ports.contains(adminPort) { throw Setting.adminPort.isOut(of: ports, adminPort) }
    let port = if let adminPort { adminPort } else { try settings.int(.adminPort, in: ports) }
    let host = if let adminHost { adminHost } else { settings.string(.adminHost) }
    let token = if let adminToken { adminToken } else { settings.string(.adminToken) }
    let origin = if let adminOrigin { adminOrigin } else { settings.string(.adminOrigin) }
    guard let port else {
      let given = [("token", token), ("host", host), ("origin", origin)].first { $0.1 != nil }
      guard let given else { return nil }
      throw ValidationError("--admin-\(given.0) needs --admin-port: there is no operators' listener without it.")
    }
    var configuration = try OperatorConfiguration(token: token, origin: origin)
    let speaksProxyProtocol =
      if adminProxyProtocol { true } else { try settings.bool(.adminProxyProtocol) ?? false }
    if speaksProxyProtocol, proxies.isEmpty {
      throw ValidationError("--admin-proxy-protocol needs --trusted-proxies: a stranger's header is not believed.")
    }
    configuration.listener = ListenerConfiguration(trustedProxies: proxies, expectsProxyHeader: speaksProxyProtocol)
    configuration.folder = folder
    configuration.writeMetrics = { exporter.text() }
    configuration.metricsContentType = PrometheusExporter.contentType
    configuration.logEntries = LineLogHandler.recentEntries
    return (configuration, try ResolvedAddress(host: host ?? "127.0.0.1", port: UInt16(port)))
  }
}

extension PrometheusExporter {
  /// Makes an exporter with the server's descriptions of its metrics.
  static func describingServer() -> PrometheusExporter {
    var descriptions: [String: MetricDescription] = [:]
    for metric in MetricCatalogue.all {
      descriptions[metric.name] = MetricDescription(help: metric.help, bounds: metric.bounds)
    }
    return PrometheusExporter(describing: descriptions)
  }
}
