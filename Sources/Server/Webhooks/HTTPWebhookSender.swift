// The sender of webhooks over HTTP: the addresses that it accepts, the signature, and the outcome of a request.
//
// Any thread; the client has a queue of its own.
import Gateway
import HTTPClient

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

  package func fault(ofURL text: String) -> WebhookURLFault? {
    Self.fault(ofURL: text, addresses)
  }

  package func send(_ request: WebhookRequest, _ completion: @escaping @Sendable (WebhookResponse) -> Void) {
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try HTTPURL(request.url)
    } catch {
      return completion(.failed(error.description, code: WebhookAddressFault.malformed(error).code))
    }
    guard let secret = WebhookSecret(request.secret) else {
      return completion(.failed("the secret can't be read", code: "SECRET_UNREADABLE"))
    }
    guard addresses != .publicOnly || url.isSecure else {
      let code = WebhookAddressFault.insecure.code
      return completion(.failed("the URL has no TLS, and --webhook-private-addresses is not set", code: code))
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
    client.send(message) { [addresses] result in
      switch result {
      case .success(let response):
        if let fault = Self.redirectFault(of: response, addresses) { return completion(.redirected(fault)) }
        let retryAfterS = response.value(of: "Retry-After").flatMap { Self.seconds($0, since: request.timestampS) }
        completion(.answered(status: response.status, retryAfterS: retryAfterS))
      case .failure(let failure): completion(.failed(failure.description, code: failure.code))
      }
    }
  }

  /// The fault of the address that a redirect leads to. A path alone stays at the target's own address, and a name is
  /// not looked up: nothing is sent there.
  private static func redirectFault(
    of response: HTTPClientResponse,
    _ addresses: AddressPolicy
  ) -> WebhookURLFault? {
    guard (300..<400).contains(response.status), let location = response.value(of: "Location"),
      location.contains("://")
    else { return nil }
    return fault(ofURL: location, addresses)
  }

  private static func fault(ofURL text: String, _ addresses: AddressPolicy) -> WebhookURLFault? {
    WebhookAddress.fault(text, allowsPrivate: addresses == .privateAllowed).map {
      WebhookURLFault($0.code, $0.description)
    }
  }

  /// The seconds that a `Retry-After` asks for: it is their number, or a date.
  private static func seconds(_ text: String, since now: Int64) -> Int64? {
    if let seconds = Int64(text) { return seconds }
    return HTTPDate.seconds(text).map { max(0, $0 - now) }
  }
}
