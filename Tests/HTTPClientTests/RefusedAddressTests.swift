// Addresses that the client refuses, in all spellings that lead to a receiver on the own machine.
import HTTPClient
import Testing

@Suite("Refused addresses", .timeLimit(.minutes(10)))
struct RefusedAddressTests {
  @Test("No spelling of the own machine leads to it under the default policy")
  func ownMachine() async throws {
    let receiver = try TestReceiver { try $0.answerAll("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    defer { receiver.end() }
    let client = HTTPClient(version: "1")
    let hosts = [
      "127.0.0.1", "127.255.255.254", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0x7F.0x0.0x0.0x1",
      "0177.0.0.1", "017700000001", "localhost", "LOCALHOST", "a.localhost",
      "0.0.0.0", "0", "0x0", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
      "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[fe80::1]", "169.254.169.254", "10.0.0.1",
    ]
    for host in hosts {
      for scheme in ["http", "https"] {
        let outcome = try await client.get(receiver.url(host: host, scheme: scheme))
        #expect(outcome.failure == .addressRefused, "\(scheme) \(host)")
      }
    }
    #expect(receiver.connectionCount == 0)
    // The receiver was there all the time.
    #expect(try await HTTPClient.local().get(receiver.url()).get().status == 200)
    #expect(try await HTTPClient.local().get(receiver.url(host: "localhost")).get().status == 200)
    #expect(receiver.connectionCount == 2)
  }

  @Test("Addresses of metadata services stay refused where private ones are allowed")
  func linkLocal() async throws {
    for url in ["http://169.254.169.254/latest/meta-data/", "http://[fe80::a9fe:a9fe]/", "http://0.0.0.0:1/"] {
      #expect(try await HTTPClient.local().get(url).failure == .addressRefused, "\(url)")
    }
  }
}
