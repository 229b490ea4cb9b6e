// The doctor's checks from outside: each comes by a connection of its own, as a player does.
//
// Used by one thread; blocks. A server that does not answer ends the checks that need an answer.
// Decisions: 143 (docs/decisions).
import Cryptography
import Foundation
import Game
import Glibc
import HTTPClient
import Net
import WebSocket

struct OutsideChecks {
  let url: HTTPURL
  let settings: ProbeConnection.Settings
  /// The value of Host: the port only where it is not the scheme's own.
  private let host: String
  /// `https://play.example.org`, in lower case.
  private let base: String

  /// Reads the scheme, the host and the port of a URL.
  ///
  /// - Throws: `HTTPURLError`.
  init(_ text: String, _ settings: ProbeConnection.Settings) throws(HTTPURLError) {
    url = try HTTPURL(text)
    self.settings = settings
    host = url.port == (url.isSecure ? 443 : 80) ? url.host.lowercased() : "\(url.host.lowercased()):\(url.port)"
    base = "\(url.isSecure ? "https" : "http")://\(host)"
  }

  /// The host without brackets.
  private var name: String { url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host }

  func run() -> [Finding] {
    let (addresses, findings) = lookUp()
    guard !addresses.isEmpty else { return findings }
    let reached = addresses.map { ($0, failure(at: $0)) }
    let all = findings + [reachable(reached)] + [security()].compactMap { $0 }
    guard reached.contains(where: { $0.1 == nil }) else { return all }
    return all + answers()
  }

  // The name and its addresses.

  /// Looks the name up, as phones do.
  private func lookUp() -> (addresses: [IPAddress], [Finding]) {
    if let text = settings.address, let address = IPAddress(text) {
      return ([address], [.ok("name", "\(name) is asked at \(address), and not looked up")])
    }
    if let address = IPAddress(name) { return ([address], []) }
    let addresses = HostLookUp.addresses(of: name)
    guard !addresses.isEmpty else {
      let advice = "add a record A (or AAAA) for \(name), and wait until it is spread"
      return ([], [.failure("name", "\(name) has no address", advice)])
    }
    return (addresses, [.ok("name", "\(name) is \(addresses.map(\.description).joined(separator: ", "))")])
  }

  /// The reason why an address takes no connection; nil when it does. Whether the certificate is trusted is asked
  /// elsewhere.
  private func failure(at address: IPAddress) -> ProbeConnection.Failure? {
    var settings = settings
    settings.address = address.description
    settings.verifies = false
    do throws(ProbeConnection.Failure) {
      _ = try ProbeConnection(to: url, settings)
      return nil
    } catch {
      return error
    }
  }

  private func reachable(_ reached: [(IPAddress, ProbeConnection.Failure?)]) -> Finding {
    let silent = reached.filter { $0.1 != nil && Self.isInReach($0.0) }
    guard let first = silent.first, let failure = first.1 else {
      let unknown = reached.filter { $0.1 != nil }.map { "\($0.0)" }
      guard unknown.isEmpty else {
        let text = "this machine has no IPv6, so nothing is known of \(unknown.joined(separator: ", "))"
        return .warning("address", text, "run the doctor on a machine with IPv6 too")
      }
      return .ok(
        "address",
        "port \(url.port) takes connections at \(reached.count == 1 ? "its address" : "all addresses")"
      )
    }
    let text = "port \(url.port) at \(first.0): \(failure)"
    guard silent.count == reached.count else {
      let advice = "let the server listen there too (--host ::), or take the address out of DNS: phones try it first"
      return .failure("address", text, advice)
    }
    return .failure("address", text, "start the server or the proxy, and open the port in firewall and router")
  }

  /// Whether this machine could connect to the address at all: one without IPv6 says nothing about IPv6.
  private static func isInReach(_ address: IPAddress) -> Bool {
    address.isV4 || address.isLoopback || InterfaceAddress.all().contains { !$0.ip.isV4 }
  }

  // TLS.

  /// The certificate and whether it is trusted; nil where the server can't be reached at all.
  private func security() -> Finding? {
    guard url.isSecure else { return OutsideJudgement.plain(host: name) }
    var failure: String?
    do throws(ProbeConnection.Failure) {
      _ = try ProbeConnection(to: url, settings)
    } catch {
      guard case .tls(let reason) = error else { return nil }
      failure = reason
    }
    var lenient = settings
    lenient.verifies = false
    guard let connection = try? ProbeConnection(to: url, lenient), let certificate = connection.certificate else {
      return .failure("certificate", "no secure connection: \(failure ?? "")", "let the port speak TLS 1.2 or newer")
    }
    let nowS = Instant.now.milliseconds / 1_000
    return OutsideJudgement.certificate(certificate, host: name, failure: failure, nowS: nowS)
  }

  // Answers. The next checks are about the server behind the certificate, so a bad certificate does not end them.

  private func connect(patienceMs: Int? = nil) throws(ProbeConnection.Failure) -> ProbeConnection {
    var settings = settings
    settings.verifies = false
    if let patienceMs { settings.patienceMs = patienceMs }
    return try ProbeConnection(to: url, settings)
  }

  private func get(_ path: String, fields: String = "") throws(ProbeConnection.Failure) -> (
    OutsideAnswer, ProbeConnection
  ) {
    let connection = try connect()
    return (try OutsideAnswer("GET", path, host: host, fields: fields, over: connection), connection)
  }

  private func answers() -> [Finding] {
    let health = health()
    return health.level == .ok ? [health] + view() + upgrade() + upload() : [health]
  }

  /// Whether the server is there, well and ready; the one check that a health check of containers needs.
  func health() -> Finding {
    do throws(ProbeConnection.Failure) {
      let (answer, _) = try get("/healthz")
      guard answer.head.status == 200, answer.body == Array("ok\n".utf8) else {
        return .failure(
          "server",
          "/healthz is answered with \(answer.head.status), and not by Madang",
          "let the proxy pass this host on to the server, and see both logs"
        )
      }
      let (ready, _) = try get("/readyz")
      guard ready.head.status == 200 else {
        let reason = String(decoding: ready.body.prefix(100), as: UTF8.self).split(separator: "\n").first ?? ""
        return .failure("server", "the server is not ready: \(reason)", "see the server's log")
      }
      return .ok("server", "the server answers and is ready")
    } catch {
      return .failure("server", "/healthz: \(error)", "start the server, and see its log and the proxy's")
    }
  }

  /// How the server sees this client, itself and the time.
  private func view() -> [Finding] {
    do throws(ProbeConnection.Failure) {
      let beganMs = Instant.now.milliseconds
      let (answer, connection) = try get("/reach")
      let endedMs = Instant.now.milliseconds
      guard let reach = ReachAnswer(answer) else {
        return [.failure("server", "/reach is answered with \(answer.head.status)", "let the proxy pass all paths on")]
      }
      let uncertaintyMs = (endedMs - beganMs + 1) / 2
      var findings = [
        MachineJudgement.clock(aheadMs: reach.timeMs - (beganMs + endedMs) / 2, uncertaintyMs: uncertaintyMs),
        links(reach),
      ]
      if let own = IPAddress(connection.ownAddress), let server = IPAddress(connection.peerAddress) {
        findings.append(OutsideJudgement.client(seen: reach.address, own: own, server: server))
        let (forged, _) = try get("/reach", fields: "X-Forwarded-For: \(OutsideJudgement.forgedAddress)\r\n")
        if let seen = ReachAnswer(forged)?.address {
          findings.append(OutsideJudgement.forgery(seen: seen, own: own, server: server))
        }
      }
      return findings
    } catch {
      return [.failure("server", "/reach: \(error)", "see the proxy's log")]
    }
  }

  private func links(_ reach: ReachAnswer) -> Finding {
    let named = try? OutsideChecks(reach.joinBase.lowercased(), settings)
    let answers = named.flatMap { $0.base == base ? nil : $0.health().level == .ok }
    return OutsideJudgement.links(
      asked: base,
      named: named?.base ?? reach.joinBase,
      isFixed: reach.hasPublicURL,
      answers: answers
    )
  }

  // The WebSocket.

  private func upgrade() -> [Finding] {
    let request = UpgradeRequest(
      host: host,
      path: "/v1/play",
      subprotocols: ["madang.v1.json"],
      nonce: RandomBytes.make(count: 16),
      compresses: true
    )
    do {
      let connection = try connect()
      try connection.send(request.bytes)
      var parser = ResponseHeadParser()
      var bytes: [UInt8] = []
      var found: (head: ResponseHead, byteCount: Int)?
      while found == nil {
        let piece = try connection.receive()
        guard !piece.isEmpty else { throw ProbeConnection.Failure.other("the connection was ended early") }
        bytes += piece
        found = try OutsideAnswer.parse(&parser, bytes)
      }
      guard let (head, _) = found, head.status == 101 else {
        return [OutsideJudgement.upgrade(status: found?.head.status ?? 0)]
      }
      let compression = try request.check(head).compression
      return [.ok("upgrade", "a WebSocket opens"), Self.compression(compression != nil)] + exchange(over: connection)
    } catch let failure as UpgradeFailure {
      return [.failure("upgrade", "the WebSocket's handshake is broken: \(failure)", "see the proxy's log")]
    } catch {
      return [
        .failure("upgrade", "a WebSocket: \(error)", "have the proxy pass Upgrade and Connection on, by HTTP/1.1")
      ]
    }
  }

  private static func compression(_ isAgreed: Bool) -> Finding {
    guard !isAgreed else { return .ok("compression", "messages are compressed") }
    return .warning(
      "compression",
      "compression is not agreed to",
      "start the server without --no-compression, and have the proxy pass Sec-WebSocket-Extensions on"
    )
  }

  /// Has the server answer one message, which a proxy may hold up.
  private func exchange(over connection: ProbeConnection) -> [Finding] {
    var frame: [UInt8] = []
    let mask = RandomBytes.make(count: 4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    FrameEncoder.append(.text, Array(#"{"id":1,"time":{}}"#.utf8), mask: mask, to: &frame)
    do throws(ProbeConnection.Failure) {
      try connection.send(frame)
      guard try !connection.receive().isEmpty else { throw .other("the connection was ended") }
      return [.ok("messages", "a message is answered at once")]
    } catch {
      return [
        .failure("messages", "no message comes back: \(error)", "let the proxy hold nothing back (proxy_buffering)")
      ]
    }
  }

  // Uploads.

  /// The size of the longest picture.
  private static let uploadBytes = 5_242_880
  /// The time in which a server that sees a head refuses it, milliseconds.
  private static let refusalMs = 5_000

  /// Announces the longest picture without a ticket. The server refuses it by its head alone; a proxy may have its own
  /// bound, or first wait for the whole body.
  private func upload() -> [Finding] {
    let path = "/v1/media/uploads/\(String(repeating: "0", count: 32))"
    do throws(ProbeConnection.Failure) {
      let connection = try connect(patienceMs: Self.refusalMs)
      let fields = "Content-Length: \(Self.uploadBytes)\r\n"
      let answer = try OutsideAnswer("PUT", path, host: host, fields: fields, over: connection)
      guard answer.head.status != 413 else {
        let advice = "raise the proxy's bound to 5 MiB or more (nginx: client_max_body_size 8m)"
        return [.failure("uploads", "the proxy refuses pictures of 5 MiB", advice)]
      }
      return [.ok("uploads", "pictures pass the proxy as they come")]
    } catch {
      let advice = "let the proxy pass bodies on as they come (nginx: proxy_request_buffering off)"
      return [.warning("uploads", "the proxy answers nothing before it has a whole picture", advice)]
    }
  }
}

/// The answer of `/reach`.
private struct ReachAnswer {
  let address: IPAddress
  let joinBase: String
  let hasPublicURL: Bool
  let timeMs: Int64

  /// From 1970 to the year 9999.
  private static let timesMs: ClosedRange<Int64> = 0...253_402_300_799_999

  /// Nil for another answer.
  init?(_ answer: OutsideAnswer) {
    struct Members: Decodable {
      let address: String
      let joinBase: String
      let hasPublicUrl: Bool
      let serverTimeMs: String
    }
    guard answer.head.status == 200, let members = try? JSONDecoder().decode(Members.self, from: Data(answer.body)),
      let address = IPAddress(members.address), let timeMs = Int64(members.serverTimeMs),
      Self.timesMs.contains(timeMs)
    else { return nil }
    self.address = address
    joinBase = members.joinBase
    hasPublicURL = members.hasPublicUrl
    self.timeMs = timeMs
  }
}
