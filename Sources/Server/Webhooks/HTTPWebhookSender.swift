// The sender of webhooks over HTTP: the addresses that it accepts, the signature, and the outcome of a request.
//
// Any thread; the client has a queue of its own.
import Gateway
import HTTPClient
import Net

package final class HTTPWebhookSender: WebhookSender {
  private static let timeoutMs = 10_000
  private static let connectTimeoutMs = 5_000

  private let client: HTTPClient
  private let addresses: AddressPolicy

  /// Makes a sender. Without `allowsPrivateAddresses` it refuses addresses without TLS and those of private networks.
  /// `authorities` is a PEM file of certificates that are trusted instead of the system's.
  package init(version: String, allowsPrivateAddresses: Bool, authorities: String? = nil) {
    addresses = allowsPrivateAddresses ? .privateAllowed : .publicOnly
    var limits = HTTPClientLimits()
    limits.connectMs = Self.connectTimeoutMs
    limits.totalMs = Self.timeoutMs
    client = HTTPClient(version: version, addresses: addresses, limits: limits, authorities: authorities)
  }

  package func fault(ofURL text: String) -> String? {
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try HTTPURL(text)
    } catch {
      return error.description
    }
    guard addresses == .publicOnly else { return nil }
    guard url.isSecure else { return "the URL must begin with https://, unless --webhook-private-addresses is set" }
    // Names are looked up with each connection.
    let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    guard host != "localhost", IPAddress(host).map(isAllowed) ?? true else {
      return "\(url.host) is a private address, which needs --webhook-private-addresses"
    }
    return nil
  }

  private func isAllowed(_ address: IPAddress) -> Bool {
    addresses.allows(v6High: address.high, low: address.low)
  }

  package func send(_ request: WebhookRequest, _ completion: @escaping @Sendable (WebhookResponse) -> Void) {
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try HTTPURL(request.url)
    } catch {
      return completion(.failed(error.description))
    }
    guard let secret = WebhookSecret(request.secret) else { return completion(.failed("the secret can't be read")) }
    guard addresses != .publicOnly || url.isSecure else {
      return completion(.failed("the URL has no TLS, and --webhook-private-addresses is not set"))
    }
    let headers = WebhookSignature.headers(
      id: request.id,
      timestampS: request.timestampS,
      body: request.body,
      secrets: [secret]
    )
    let message = HTTPClientRequest(
      .post(body: request.body, contentType: "application/json"),
      url,
      headers: headers
    )
    client.send(message) { result in
      switch result {
      case .success(let response):
        let retryAfterS = response.value(of: "Retry-After").flatMap { Int64($0) }
        completion(.answered(status: response.status, retryAfterS: retryAfterS))
      case .failure(let failure): completion(.failed(failure.description))
      }
    }
  }
}
