// Exchanges over TLS: certificates that are trusted and others, and receivers that break off.
import COpenSSL
import HTTPClient
import TestSupport
import Testing

@Suite("Secure exchanges", .timeLimit(.minutes(10)))
struct SecureExchangeTests {
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  @Test(
    "A receiver under an own authority is trusted, in both versions of TLS",
    arguments: [TLS1_2_VERSION, TLS1_3_VERSION]
  )
  func ownAuthority(version: Int32) async throws {
    let certificate = try TestCertificate()
    let receiver = try TestReceiver(certificate, tlsVersionMax: version) { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let client = HTTPClient.local(authorities: certificate.certificateFile)
    for host in ["127.0.0.1", "localhost"] {
      for _ in 0..<3 {
        let response = try await client.get(receiver.url(host: host, scheme: "https")).get()
        #expect(response.body == Array("ok".utf8))
      }
    }
    #expect(receiver.connectionCount == 2)
  }

  @Test("A certificate of an unknown authority is refused, also where another one is known")
  func unknownAuthority() async throws {
    let receiver = try TestReceiver(try TestCertificate()) { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let other = try TestCertificate("other")
    for authorities in [nil, other.certificateFile] {
      let outcome = try await HTTPClient.local(authorities: authorities).get(receiver.url(scheme: "https"))
      #expect(outcome.tlsFailure?.contains("certificate") == true, "\(outcome)")
    }
  }

  @Test("A certificate for another name is refused")
  func otherName() async throws {
    let certificate = try TestCertificate()
    let receiver = try TestReceiver(certificate) { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let client = HTTPClient.local(authorities: certificate.certificateFile)
    // Listeners on 127.0.0.1 alone can't be reached by another loopback address, but by another name.
    let outcome = try await client.get(receiver.url(host: "other.localhost", scheme: "https"))
    #expect(outcome.tlsFailure != nil, "\(outcome)")
  }

  @Test("A version below TLS 1.2 is refused", arguments: [TLS1_VERSION, TLS1_1_VERSION])
  func oldVersions(version: Int32) async throws {
    let certificate = try TestCertificate()
    let receiver = try TestReceiver(certificate, tlsVersionMax: version) { try $0.answerAll(Self.ok) }
    defer { receiver.end() }
    let outcome = try await HTTPClient.local(authorities: certificate.certificateFile).get(
      receiver.url(scheme: "https")
    )
    #expect(outcome.tlsFailure != nil, "\(outcome)")
  }

  @Test("A file of authorities that is not there fails each secure request, and no other")
  func noAuthorities() async throws {
    let secure = try TestReceiver(try TestCertificate()) { try $0.answerAll(Self.ok) }
    defer { secure.end() }
    let plain = try TestReceiver { try $0.answerAll(Self.ok) }
    defer { plain.end() }
    let client = HTTPClient.local(authorities: "/nowhere/authorities.pem")
    #expect(try await client.get(secure.url(scheme: "https")).tlsFailure != nil)
    #expect(try await client.get(plain.url()).get().status == 200)
  }

  @Test("A receiver that speaks no TLS is a failure")
  func plainReceiver() async throws {
    let receiver = try TestReceiver { connection in
      _ = connection.receive()
      try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    defer { receiver.end() }
    #expect(try await HTTPClient.local().get(receiver.url(scheme: "https")).tlsFailure != nil)
  }

  @Test("A receiver that goes away while a body is sent ends the request, and not the process")
  func earlyReset() async throws {
    let certificate = try TestCertificate()
    let receiver = try TestReceiver(certificate) { connection in
      _ = connection.receive()
      connection.reset()
    }
    defer { receiver.end() }
    let client = HTTPClient.local(authorities: certificate.certificateFile)
    let method = HTTPClientRequest.Method.post(body: [UInt8](repeating: 1, count: 20_000_000), contentType: "a/b")
    for _ in 0..<10 {
      let outcome = await client.outcome(HTTPClientRequest(method, try HTTPURL(receiver.url(scheme: "https"))))
      #expect(outcome.failure == .other("the receiver ended the connection early"), "\(outcome)")
    }
  }
}
