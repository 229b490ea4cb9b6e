// Webhooks over real sockets: a receiver on this machine, the signature, redirects and refused addresses.
import Game
import HTTPClient
import Server
import Store
import TestSupport
import Testing

@Suite("Webhooks over sockets")
struct WebhookReceiverTests {
  private static func server(allowsPrivateAddresses: Bool = true) throws -> TestServer {
    try TestServer {
      $0.webhookSender = HTTPWebhookSender(version: "1.0.0", allowsPrivateAddresses: allowsPrivateAddresses)
    }
  }

  @Test("A request has the batch's name, the time, and the signature of its body by the secret")
  func signature() throws {
    let receiver = try WebhookReceiver()
    defer { receiver.stop() }
    let server = try Self.server()
    let (id, secret) = try server.addWebhook(.fence, url: "http://127.0.0.1:\(receiver.port)/hook?key=1")
    #expect(server.perform(.testWebhook(id)).isDone)
    let request = receiver.next()
    #expect(request.head.hasPrefix("POST /hook?key=1 HTTP/1.1"))
    #expect(request.value(of: "content-type") == "application/json")
    let name = try #require(request.value(of: "webhook-id"))
    let time = try #require(request.value(of: "webhook-timestamp").flatMap { Int64($0) })
    #expect(name.hasPrefix("\(id)-") && time == server.clock.now().milliseconds / 1_000)
    let expected = WebhookSignature.headers(
      id: name,
      timestampS: time,
      body: request.body,
      secrets: [try #require(WebhookSecret(secret))]
    )
    let sent = try #require(request.value(of: "webhook-signature"))
    #expect(expected.contains { $0.value == sent })
    #expect(try ReceivedEvent.all(in: request.body).map(\.type) == ["test"])
    #expect(try server.webhook { $0.pendingCount == 0 }.deliveredCount == 1)
  }

  @Test("A redirect to this machine is not followed")
  func redirect() throws {
    let secret = try WebhookReceiver()
    defer { secret.stop() }
    let port = secret.port
    let receiver = try WebhookReceiver { number in
      number == 0 ? "302 Found\r\nLocation: http://127.0.0.1:\(port)/" : "200 OK"
    }
    defer { receiver.stop() }
    let server = try Self.server()
    let id = try server.addWebhook(.fence, url: "http://127.0.0.1:\(receiver.port)/").id
    #expect(server.perform(.testWebhook(id)).isDone)
    let first = receiver.next()
    _ = try server.webhook { $0.lastFailure?.text == "REDIRECT: the answer is a redirect, which is not followed" }
    server.clock.advance(seconds: 1, milliseconds: 10)
    #expect(receiver.next().value(of: "webhook-id") == first.value(of: "webhook-id"))
    _ = try server.webhook { $0.deliveredCount == 1 }
  }

  @Test("A redirect to an address to which nothing is sent has a name of its own")
  func redirectToRefused() throws {
    let receiver = try WebhookReceiver { _ in "302 Found\r\nLocation: http://169.254.169.254/latest/meta-data" }
    defer { receiver.stop() }
    let server = try Self.server()
    let id = try server.addWebhook(.fence, url: "http://127.0.0.1:\(receiver.port)/").id
    #expect(server.perform(.testWebhook(id)).isDone)
    _ = receiver.next()
    _ = try server.webhook {
      $0.lastFailure?.text.hasPrefix("REDIRECT_REFUSED: ") == true
        && $0.lastFailure?.text.contains("169.254.169.254 is link-local") == true
    }
  }

  @Test("Private addresses and addresses without TLS are refused unless the operator allows them")
  func privateAddresses() throws {
    let server = try Self.server(allowsPrivateAddresses: false)
    func refusal(_ url: String) -> String? {
      server.perform(.addWebhook(OfferedWebhook(url: url, types: [.fence]))).refusal
    }
    for url in ["https://127.0.0.1/", "https://10.1.2.3/", "https://192.168.0.1:8443/x", "https://[::1]/"] {
      #expect(try #require(refusal(url)).hasSuffix("which needs --webhook-private-addresses"))
    }
    #expect(try #require(refusal("https://169.254.169.254/")).contains("link-local"))
    func code(_ url: String) -> String? {
      server.perform(.addWebhook(OfferedWebhook(url: url, types: [.fence]))).code
    }
    #expect(
      code("https://169.254.169.254/") == "ADDRESS_UNREACHABLE" && code("https://localhost/") == "ADDRESS_PRIVATE"
    )
    #expect(code("http://example.org/") == "URL_INSECURE" && code("nonsense") == "URL_MALFORMED")
    let allowing = try Self.server()
    let metadata = OfferedWebhook(url: "https://169.254.169.254/", types: [.fence])
    #expect(allowing.perform(.addWebhook(metadata)).code == "ADDRESS_UNREACHABLE")
    #expect(try #require(refusal("http://example.org/")).hasPrefix("the URL must begin with https://"))
    #expect(refusal("ftp://example.org/") != nil && refusal("https://user:word@example.org/") != nil)
    #expect(refusal("nonsense") != nil)
    #expect(refusal("https://example.org/") == nil && refusal("https://8.8.8.8/") == nil)
  }

  @Test("A target that was added when private addresses were allowed is not sent to without that")
  func withdrawn() throws {
    let receiver = try WebhookReceiver()
    defer { receiver.stop() }
    let before = try Self.server()
    let id = try before.addWebhook(.fence, url: "http://127.0.0.1:\(receiver.port)/").id
    before.stop()
    let server = try TestServer(store: before.store, clock: before.clock) {
      $0.webhookSender = HTTPWebhookSender(version: "1.0.0", allowsPrivateAddresses: false)
    }
    #expect(server.perform(.testWebhook(id)).isDone)
    let row = try server.webhook { $0.lastFailure != nil }
    #expect(row.pendingCount == 1 && row.lastFailure?.text.contains("has no TLS") == true)
  }
}
