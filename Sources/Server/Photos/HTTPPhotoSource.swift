// A source of photos over HTTP: a URL that answers a picture, or JSON that names the address of one.
//
// Any thread; the client has a queue of its own. What comes is a stranger's. Redirects are followed here, a few,
// without the key, and to no address that the policy refuses. No text of a failure has a URL or the key in it.
// Decisions: 124 (docs/decisions).
import ConsoleProtocol
import Game
import Gateway
import HTTPClient

package final class HTTPPhotoSource: PhotoSource {
  /// An operator's settings of such a source.
  package struct Settings: Sendable {
    /// A URL with `{country}`, `{name}` and `{key}`.
    package var url: String
    /// Where the answer, which is JSON then, has the picture's address; nil where the answer is the picture.
    package var pointer: String?
    /// The attribution, with places for what is answered; empty for none.
    package var attribution = ""
    package var key: String?
    /// A header field of the request, `Name: value`, with `{key}`.
    package var header: String?
    /// Also addresses of private networks, and without TLS.
    package var allowsPrivateAddresses = false
    /// The longest time of one request.
    package var timeoutMs = 20_000

    package init(url: String) { self.url = url }
  }

  /// The reason why settings can't be used, for the operator.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  private static let redirectsMax = 3
  /// Of an answer in JSON, which takes many times as much once it is read.
  private static let documentBytesMax = 1 << 20

  package let requestsMin: Int
  private let client: HTTPClient
  private let template: PhotoURLTemplate
  private let pointer: JSONPointer?
  private let attribution: PhotoAttributionTemplate
  private let headers: [HTTPHeader]
  private let key: String
  private let allowsPrivateAddresses: Bool

  package init(version: String, _ settings: Settings) throws(Fault) {
    template = PhotoURLTemplate(settings.url, key: settings.key)
    key = settings.key ?? ""
    attribution = PhotoAttributionTemplate(settings.attribution)
    allowsPrivateAddresses = settings.allowsPrivateAddresses
    requestsMin = settings.pointer == nil ? 1 : 2
    pointer = try settings.pointer.map { text throws(Fault) in
      guard let pointer = JSONPointer(text) else {
        throw Fault(description: "a pointer into JSON is like /photos/0/src/large")
      }
      return pointer
    }
    headers = try settings.header.map { text throws(Fault) in [try Self.header(text, key: settings.key)] } ?? []
    if settings.key == nil, template.hasKey || settings.header?.contains("{key}") == true {
      throw Fault(description: "{key} needs a file with the key")
    }
    if let key = settings.key, key.isEmpty || !key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      throw Fault(description: "a key is one word of printable ASCII")
    }
    var limits = HTTPClientLimits()
    limits.totalMs = settings.timeoutMs
    limits.connectMs = min(limits.connectMs, settings.timeoutMs)
    limits.bodyBytesMax = FoundPhoto.bytesMax
    limits.transfersMax = SharedPhotos.fillsMax
    client = HTTPClient(
      version: version,
      addresses: settings.allowsPrivateAddresses ? .privateAllowed : .publicOnly,
      limits: limits
    )
    try check()
  }

  /// Checks the URL as it is for one country; the others differ in letters alone.
  private func check() throws(Fault) {
    guard let country = CountryCatalogue.shipped.countries.first else { return }
    do throws(HTTPURLError) {
      let url = try template.url(of: country)
      if url.isSecure || allowsPrivateAddresses { return }
    } catch {
      throw Fault(description: error.description)
    }
    throw Fault(description: "the URL must begin with https://, unless private addresses are allowed")
  }

  private static func header(_ text: String, key: String?) throws(Fault) -> HTTPHeader {
    let fault = Fault(description: "a header is like Authorization: Client-ID {key}, in printable ASCII")
    guard let colon = text.firstIndex(of: ":") else { throw fault }
    let value = String(text[text.index(after: colon)...].drop { $0 == " " }).replacing("{key}", with: key ?? "")
    let header = HTTPHeader(String(text[..<colon]), value)
    guard HTTPClientRequest.allows(header) else { throw fault }
    return header
  }

  // Finding.

  package func find(
    _ errand: PhotoErrand,
    _ completion: @escaping @Sendable (Result<FoundPhoto, PhotoFailure>) -> Void
  ) {
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try template.url(of: errand.country)
    } catch {
      return completion(.failure(.noPhoto(error.description)))
    }
    get(url, headers, errand) { [self] answered in
      switch answered {
      case .success(let response): take(response, errand, completion)
      case .failure(.none(let why)): completion(.failure(.noPhoto(why)))
      case .failure(.refused(let why)): completion(.failure(.source(why)))
      case .failure(.outage(let why, let retryAfterS)):
        completion(.failure(.source(why, retryAfterS: retryAfterS)))
      case .failure(.unpaid(let failure)): completion(.failure(failure))
      }
    }
  }

  /// Takes the source's own answer: the picture, or where it is.
  private func take(
    _ response: HTTPClientResponse,
    _ errand: PhotoErrand,
    _ completion: @escaping @Sendable (Result<FoundPhoto, PhotoFailure>) -> Void
  ) {
    guard let pointer else {
      let attribution = attribution.attribution(of: response, nil)
      return completion(.success(FoundPhoto(bytes: response.body, attribution: attribution)))
    }
    guard response.body.count <= Self.documentBytesMax, let document = JSONDocument(response.body) else {
      return completion(.failure(.source("the answer is no JSON, or too much of it")))
    }
    let attribution = attribution.attribution(of: response, document)
    guard let text = document.text(at: pointer) else {
      return completion(.failure(.noPhoto("the answer has no address of a picture")))
    }
    guard let url = address(text) else {
      return completion(.failure(.noPhoto("the picture's address is none that may be asked")))
    }
    get(url, [], errand) { answered in
      switch answered {
      case .success(let picture): completion(.success(FoundPhoto(bytes: picture.body, attribution: attribution)))
      // The source has answered; only this picture is not to be had.
      case .failure(.none(let why)), .failure(.refused(let why)):
        completion(.failure(.noPhoto("the picture: \(why)")))
      case .failure(.outage(let why, let retryAfterS)):
        completion(.failure(.picture("the picture: \(why)", retryAfterS: retryAfterS)))
      case .failure(.unpaid(let failure)): completion(.failure(failure))
      }
    }
  }

  /// An address that a stranger names; nil for one that may not be asked.
  private func address(_ text: String) -> HTTPURL? {
    guard let url = try? HTTPURL(text), url.isSecure || allowsPrivateAddresses else { return nil }
    return url
  }

  // Requests.

  /// The reason why a request has brought nothing.
  private enum Unanswered: Error {
    /// There is nothing at the address.
    case none(String)
    /// It was answered, or not sent, in a way that another attempt would not change.
    case refused(String)
    /// No answer came, or one that says that another may.
    case outage(String, retryAfterS: Int64?)
    /// It was not sent: the requests of the day are used up, or can't be counted.
    case unpaid(PhotoFailure)
  }

  private func get(
    _ url: HTTPURL,
    _ headers: [HTTPHeader],
    _ errand: PhotoErrand,
    redirects: Int = redirectsMax,
    _ completion: @escaping @Sendable (Result<HTTPClientResponse, Unanswered>) -> Void
  ) {
    errand.run { [self] in
      if let failure = errand.pay() { return completion(.failure(.unpaid(failure))) }
      client.send(HTTPClientRequest(.get, url, headers: headers)) { [self] result in
        switch result {
        case .success(let response): judge(response, of: url, errand, redirects, completion)
        case .failure(let failure): completion(.failure(unanswered(failure)))
        }
      }
    }
  }

  private func judge(
    _ response: HTTPClientResponse,
    of url: HTTPURL,
    _ errand: PhotoErrand,
    _ redirects: Int,
    _ completion: @escaping @Sendable (Result<HTTPClientResponse, Unanswered>) -> Void
  ) {
    switch response.status {
    case 200: completion(.success(response))
    case 301, 302, 303, 307, 308:
      guard redirects > 0 else { return completion(.failure(.refused("too many redirects"))) }
      let location = response.value(of: "Location") ?? ""
      guard let next = address(location.hasPrefix("/") ? url.origin + location : location),
        next.isSecure || !url.isSecure
      else { return completion(.failure(.refused("a redirect to an address that may not be asked"))) }
      // The key is for the source alone.
      get(next, [], errand, redirects: redirects - 1, completion)
    case 404, 410: completion(.failure(.none("the answer is \(response.status)")))
    case 408, 425, 429, 500...:
      let retryAfterS = response.value(of: "Retry-After").flatMap { Int64($0) }
      completion(.failure(.outage("the answer is \(response.status)", retryAfterS: retryAfterS)))
    default: completion(.failure(.refused("the answer is \(response.status)")))
    }
  }

  private func unanswered(_ failure: HTTPFailure) -> Unanswered {
    let why = withoutKey(failure.description)
    switch failure {
    case .addressRefused, .bodyTooLarge: return .refused(why)
    case .timeout, .couldNotResolve, .couldNotConnect, .tls, .cancelled, .tooMany, .other:
      return .outage(why, retryAfterS: nil)
    }
  }

  private func withoutKey(_ text: String) -> String { key.isEmpty ? text : text.replacing(key, with: "…") }
}

extension HTTPURL {
  /// Scheme, host and port.
  fileprivate var origin: String {
    let scheme = isSecure ? "https://" : "http://"
    return scheme + text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
  }
}
