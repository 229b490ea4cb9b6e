// The doctor's rules for what is seen from outside: certificates, addresses, links and refused WebSockets.
import Commands
import HTTPClient
import Net
import Testing

@Suite("The doctor's view from outside")
struct OutsideJudgementTests {
  private static let day: Int64 = 86_400
  /// 2026-11-26, 12:00 UTC.
  private static let nowS: Int64 = 1_795_694_400

  private func certificate(_ from: String, _ to: String, names: String = "DNS:play.example.org") throws
    -> ProbedCertificate
  {
    try #require(
      ProbedCertificate(lines: [
        "Issuer:CN = An authority", "Start date:\(from)", "Expire date:\(to)",
        "X509v3 Subject Alternative Name:\(names)",
      ])
    )
  }

  private func judged(_ to: String, from: String = "Sep  1 00:00:00 2026 GMT", failure: String? = nil) throws -> Finding
  {
    OutsideJudgement.certificate(
      try certificate(from, to),
      host: "play.example.org",
      failure: failure,
      nowS: Self.nowS
    )
  }

  @Test("A certificate is read by its dates, names and issuer")
  func reading() throws {
    let certificate = try certificate(
      "Nov  1 00:00:00 2026 GMT",
      "Nov 26 12:00:00 2026 GMT",
      names: "DNS:a.example, IP Address:192.0.2.1"
    )
    #expect(certificate.validToS == Self.nowS && certificate.issuer == "CN = An authority")
    #expect(certificate.names == ["DNS:a.example", "IP Address:192.0.2.1"])
    #expect(ProbedCertificate(lines: ["Start date:Nov  1 00:00:00 2026 GMT"]) == nil)
  }

  @Test("A certificate that ends soon is a warning for two weeks, then a failure")
  func expiry() throws {
    #expect(try judged("Dec 17 12:00:00 2026 GMT").level == .ok)
    #expect(try judged("Dec 17 11:59:59 2026 GMT").level == .warning)
    #expect(try judged("Dec  3 12:00:00 2026 GMT").level == .warning)
    #expect(try judged("Dec  3 11:59:59 2026 GMT").level == .failure)
    let ended = try judged("Nov 20 12:00:00 2026 GMT", failure: "SSL certificate problem: certificate has expired")
    #expect(ended.level == .failure && ended.text == "the certificate ended 6 days ago")
    #expect(try judged("Nov 26 12:00:00 2026 GMT").level == .failure)
    #expect(try judged("Dec 30 12:00:00 2027 GMT", from: "Nov 27 12:00:00 2026 GMT").level == .failure)
  }

  @Test("A short-lived certificate is judged by its life")
  func shortLives() throws {
    let from = "Nov 26 00:00:00 2026 GMT"
    #expect(try judged("Nov 26 16:00:00 2026 GMT", from: from).level == .ok)
    #expect(try judged("Nov 26 15:00:00 2026 GMT", from: from).level == .warning)
    #expect(try judged("Nov 26 13:00:00 2026 GMT", from: from).level == .failure)
    #expect(try judged("Nov 26 16:00:00 2026 GMT", from: from).text.hasPrefix("valid for 4 hours"))
  }

  @Test("A wrong name and an unknown authority are told apart")
  func trust() throws {
    let words = "SSL: no alternative certificate subject name matches target host name 'play.example.org'"
    let wrong = try judged("Dec 30 12:00:00 2026 GMT", failure: words)
    #expect(wrong.level == .failure && wrong.text.contains("is for DNS:play.example.org, not for play.example.org"))
    let unknown = try judged(
      "Dec 30 12:00:00 2026 GMT",
      failure: "SSL certificate problem: unable to get local issuer certificate"
    )
    #expect(unknown.level == .failure && unknown.advice?.contains("fullchain.pem") == true)
  }

  @Test("A URL without TLS is fit for the loopback, doubtful in a private network, and wrong in the internet")
  func plain() {
    #expect(OutsideJudgement.plain(host: "localhost").level == .ok)
    #expect(OutsideJudgement.plain(host: "127.0.0.1").level == .ok)
    #expect(OutsideJudgement.plain(host: "192.168.0.10").level == .warning)
    #expect(OutsideJudgement.plain(host: "93.184.215.14").level == .failure)
    #expect(OutsideJudgement.plain(host: "play.example.org").level == .failure)
  }

  /// What the server sees, this client's and the server's addresses, and the level.
  private static let clients: [(seen: String, own: String, server: String, level: Finding.Level)] = [
    ("93.184.215.14", "93.184.215.14", "93.184.216.34", .ok),
    ("127.0.0.5", "127.0.0.5", "127.0.0.1", .ok),
    // Behind a router.
    ("93.184.215.14", "192.168.0.7", "93.184.216.34", .ok),
    // A proxy that is not declared: on the server's machine, at its public address, in a network of containers.
    ("127.0.0.1", "93.184.215.14", "93.184.216.34", .failure),
    ("127.0.0.1", "127.0.0.5", "127.0.0.1", .failure),
    ("93.184.216.34", "93.184.215.14", "93.184.216.34", .failure),
    ("172.17.0.1", "93.184.215.14", "93.184.216.34", .failure),
    ("172.17.0.1", "192.168.0.7", "93.184.216.34", .failure),
    // Routers between private networks, or a proxy.
    ("10.0.0.1", "192.168.0.7", "10.0.0.2", .warning),
    ("93.184.215.15", "93.184.215.14", "93.184.216.34", .warning),
  ]

  @Test("The address that the server sees tells of proxies that are not declared", arguments: clients)
  func client(_ row: (seen: String, own: String, server: String, level: Finding.Level)) throws {
    let finding = OutsideJudgement.client(
      seen: try #require(IPAddress(row.seen)),
      own: try #require(IPAddress(row.own)),
      server: try #require(IPAddress(row.server))
    )
    #expect(finding.level == row.level, "\(row) \(finding)")
  }

  @Test("A believed forgery is a failure, and of the proxy's own machine a warning")
  func forgery() throws {
    let (own, server) = (try #require(IPAddress("93.184.215.14")), try #require(IPAddress("93.184.216.34")))
    let forged = try #require(IPAddress(OutsideJudgement.forgedAddress))
    let loopback = try #require(IPAddress("127.0.0.1"))
    #expect(OutsideJudgement.forgery(seen: own, own: own, server: server).level == .ok)
    #expect(OutsideJudgement.forgery(seen: forged, own: own, server: server).level == .failure)
    #expect(OutsideJudgement.forgery(seen: forged, own: server, server: server).level == .warning)
    #expect(OutsideJudgement.forgery(seen: forged, own: loopback, server: loopback).level == .warning)
  }

  @Test("Links that name another address fail where nothing answers")
  func links() {
    let asked = "https://play.example.org"
    func judged(_ named: String, isFixed: Bool, answers: Bool?) -> Finding {
      OutsideJudgement.links(asked: asked, named: named, isFixed: isFixed, answers: answers)
    }
    #expect(judged(asked, isFixed: true, answers: nil).level == .ok)
    #expect(judged("https://old.example.org", isFixed: true, answers: true).level == .warning)
    #expect(judged("https://old.example.org", isFixed: true, answers: false).level == .failure)
    #expect(judged("http://127.0.0.1:8080", isFixed: false, answers: nil).level == .failure)
    #expect(
      judged("http://play.example.org", isFixed: false, answers: true).advice?.contains("X-Forwarded-Proto") == true
    )
  }

  @Test("A refused WebSocket has advice by its status", arguments: [200, 400, 403, 404, 426, 429, 502, 999])
  func upgrade(status: Int) {
    let finding = OutsideJudgement.upgrade(status: status)
    #expect(finding.level == .failure && finding.text.contains("\(status)"))
    #expect((finding.advice?.contains("Upgrade") == true) == [200, 400, 404, 426].contains(status))
  }
}
