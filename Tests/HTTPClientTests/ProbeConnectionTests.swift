// Connections of commands that look at a server: bytes both ways, certificates that are read though they are not
// trusted, and failures by their names.
import HTTPClient
import TestSupport
import Testing

@Suite("Probing connections", .timeLimit(.minutes(10)))
struct ProbeConnectionTests {
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private func settings(_ configure: (inout ProbeConnection.Settings) -> Void) -> ProbeConnection.Settings {
    var settings = ProbeConnection.Settings()
    configure(&settings)
    return settings
  }

  /// All bytes until the end, or until those of the answer have come.
  private func exchange(over connection: ProbeConnection) throws -> String {
    try connection.send(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    var bytes: [UInt8] = []
    while bytes.count < Self.ok.utf8.count {
      let piece = try connection.receive()
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Bytes go both ways, and both ends have addresses")
  func plain() throws {
    let receiver = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let connection = try ProbeConnection(to: HTTPURL(receiver.url()))
    #expect(connection.peerAddress == "127.0.0.1" && connection.ownAddress == "127.0.0.1")
    #expect(connection.certificate == nil)
    #expect(try exchange(over: connection) == Self.ok)
  }

  @Test("It comes from the address that was chosen, and to the one that was chosen for a name")
  func addresses() throws {
    let receiver = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let settings = settings {
      $0.source = "127.0.0.9"
      $0.address = "127.0.0.1"
    }
    let connection = try ProbeConnection(to: HTTPURL(receiver.url(host: "play.example.org")), settings)
    #expect(connection.ownAddress == "127.0.0.9" && connection.peerAddress == "127.0.0.1")
    #expect(try exchange(over: connection) == Self.ok)
  }

  @Test("A trusted certificate is read, and bytes go over TLS")
  func trusted() throws {
    let certificate = try TestCertificate()
    let receiver = try TestReceiver(certificate) { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let settings = settings { $0.authorities = certificate.certificateFile }
    let connection = try ProbeConnection(to: HTTPURL(receiver.url(host: "localhost", scheme: "https")), settings)
    let read = try #require(connection.certificate)
    #expect(read.names == ["IP Address:127.0.0.1", "DNS:localhost"])
    #expect(read.validToS - read.validFromS == 86_400 + 3_600)
    #expect(try exchange(over: connection) == Self.ok)
  }

  @Test("An unknown authority and a wrong name are failures of TLS, and the certificate is read without trust")
  func untrusted() throws {
    let certificate = try TestCertificate()
    let receiver = try TestReceiver(certificate) { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let url = try HTTPURL(receiver.url(scheme: "https"))
    #expect(
      performing: { try ProbeConnection(to: url) },
      throws: { Self.tlsReason($0)?.contains("certificate") == true }
    )
    let other = try HTTPURL(receiver.url(host: "other.localhost", scheme: "https"))
    let trusting = settings { $0.authorities = certificate.certificateFile }
    #expect(
      performing: { try ProbeConnection(to: other, trusting) },
      throws: { Self.tlsReason($0)?.contains("subject name") == true }
    )
    let connection = try ProbeConnection(to: other, settings { $0.verifies = false })
    #expect(connection.certificate?.names.contains("DNS:localhost") == true)
    #expect(try exchange(over: connection) == Self.ok)
  }

  private static func tlsReason(_ error: any Error) -> String? {
    guard case .tls(let reason) = error as? HTTPFailure else { return nil }
    return reason
  }

  @Test("A port without a listener, a name without an address, and silence have their names")
  func failures() throws {
    let receiver = try TestReceiver { _ = $0.receive() }
    let url = try HTTPURL(receiver.url())
    let connection = try ProbeConnection(to: url, settings { $0.patienceMs = 50 })
    #expect(throws: HTTPFailure.timeout) { try connection.receive() }
    receiver.end()
    #expect(throws: HTTPFailure.couldNotConnect) { try ProbeConnection(to: url) }
    #expect(throws: HTTPFailure.couldNotResolve) { try ProbeConnection(to: HTTPURL("http://nowhere.invalid:1/")) }
  }

  @Test("The peer's end is no bytes")
  func end() throws {
    let receiver = try TestReceiver { _ in }
    defer { receiver.end() }
    let connection = try ProbeConnection(to: HTTPURL(receiver.url()))
    #expect(try connection.receive().isEmpty)
  }

  @Test("A URL has the port that it names, or the scheme's own")
  func ports() throws {
    #expect(try HTTPURL("https://a.example/").port == 443 && HTTPURL("http://a.example").port == 80)
    #expect(try HTTPURL("http://[::1]:8080/x").port == 8_080)
  }
}
