// The access to the operators' listener: allowed pages, host names, tokens and cookies.
//
// A value of the operators' shard; `OperatorRegister` knows the tokens and sessions. Secrets are compared by their
// digests, in constant time; no answer tells which part was nearly right. An address with too many wrong tokens waits,
// even with the right one: an exception for the right token would make guesses free. Cookies don't wait.
// Decisions: 078, 079, 080 (docs/decisions).
import Cryptography
import Game
import Gateway
import Net
import OperatorAccounts
import WebSocket

struct OperatorAuthority {
  enum Verdict {
    case granted(OperatorIdentity)
    /// The token came in the URL: it becomes a cookie, and the URL is forgotten.
    case exchanged(HTTPResponse)
    case refused(HTTPResponse)
  }

  private static let wrongTokensPerMinute = 5
  private static let knownWrongMax = 64
  private static let cookiesMax = 4

  private let register: OperatorRegister
  private let origins: OriginPolicy
  private let listener: SocketAddress
  /// Operators come by https, through a proxy.
  private let isShownByTLS: Bool
  /// Cookies ignore ports: two servers of a machine need two names.
  private let cookieName: String
  private var wrongTokens = KeyedRateLimiter<IPAddress>(perMinute: Self.wrongTokensPerMinute)
  /// Counted apart: wrong tokens in links from other sites' pages. Such pages can't guess for free, nor spend the tries
  /// of their readers.
  private var foreignTokens = KeyedRateLimiter<IPAddress>(perMinute: Self.wrongTokensPerMinute)
  /// Digests of wrong tokens from all senders; the newest is last.
  private var knownWrong: [[UInt8]] = []
  /// The number of refused requests.
  private(set) var refusals = 0

  /// Makes the authority of the operators' listener at `listener`.
  init(_ configuration: OperatorConfiguration, _ register: OperatorRegister, on listener: SocketAddress) {
    self.register = register
    origins = configuration.origins
    isShownByTLS = configuration.isShownByTLS
    self.listener = listener
    cookieName = "madang_operator_\(listener.port)"
  }

  /// Judges a request from `address`. Where a token alone is a proof, a cookie is not looked at: no page of another
  /// site can make a browser send a token.
  mutating func judge(
    _ head: RequestHead,
    from address: IPAddress,
    at now: Instant,
    byTokenAlone: Bool = false
  ) -> Verdict {
    let verdict = decide(head, from: address.subscriberNetwork, sender: address, at: now, byTokenAlone: byTokenAlone)
    guard case .refused(let response) = verdict else { return verdict }
    refusals += 1
    return .refused(response.last)
  }

  private mutating func decide(
    _ head: RequestHead,
    from address: IPAddress,
    sender: IPAddress,
    at now: Instant,
    byTokenAlone: Bool
  ) -> Verdict {
    guard isOwn(head) else { return .refused(.operatorText(403, "not from here\n")) }
    let isExchange = head.path == "/" && Self.token(inQueryOf: head) != nil
    if !byTokenAlone, let identity = session(of: head, at: now) {
      return isExchange ? .exchanged(.toConsole(cookie: nil)) : .granted(identity)
    }
    let bearer = Self.bearer(of: head)
    guard let token = bearer ?? (isExchange ? Self.token(inQueryOf: head) : nil) else {
      return .refused(.unauthorized)
    }
    let digest = Self.digest(of: token)
    guard !isKnownWrong(digest) else { return .refused(.unauthorized) }
    // No page makes a browser send a bearer token here.
    let tries: WritableKeyPath<Self, KeyedRateLimiter<IPAddress>> =
      bearer == nil && head.isOfForeignPage ? \.foreignTokens : \.wrongTokens
    let wait = self[keyPath: tries].wait(address, at: now)
    guard wait == .zero else {
      var refusal = HTTPResponse.operatorText(429, "too many wrong tokens\n")
      refusal.headers.append(HeaderField("Retry-After", String(wait.components.seconds + 1)))
      return .refused(refusal)
    }
    // Machines' tokens begin no session: none of them stands in an address.
    let identity =
      isExchange && bearer == nil && !register.isServerToken(token) ? nil : register.identity(ofToken: token)
    guard let identity else {
      _ = self[keyPath: tries].take(address, at: now)
      noteWrong(digest)
      return .refused(.unauthorized)
    }
    guard isExchange, identity.kind == .serverToken else { return .granted(identity) }
    return .exchanged(.toConsole(cookie: beginSession(nil, head, from: sender, at: now)))
  }

  /// Begins a session of an operator, or of the server's token.
  ///
  /// - Returns: the `Set-Cookie` of it.
  func beginSession(
    _ account: OperatorAccount?,
    _ head: RequestHead,
    from address: IPAddress,
    at now: Instant
  ) -> String {
    let browser = BrowserName.short(head.values(of: "User-Agent").first ?? "")
    let value = register.beginSession(account, at: now, from: address, browser: browser)
    let secure = isShownByTLS ? "; Secure" : ""
    return "\(cookieName)=\(value); HttpOnly; SameSite=Strict; Path=/\(secure)"
  }

  /// Whether a request is addressed to this listener, and comes from no foreign page.
  func isOwn(_ head: RequestHead) -> Bool { isAddressed(by: head) && origins.allows(head) && !head.isForeignEmbedding }

  /// Whether a request brings no proof at all: no token and no session.
  func isStranger(_ head: RequestHead, at now: Instant) -> Bool {
    Self.bearer(of: head) == nil && Self.token(inQueryOf: head) == nil && session(of: head, at: now) == nil
  }

  /// Whether a token was wrong lately. A repeated token is no guess: a tool with an old token locks nobody out.
  private mutating func isKnownWrong(_ digest: [UInt8]) -> Bool {
    guard let index = knownWrong.firstIndex(of: digest) else { return false }
    knownWrong.remove(at: index)
    knownWrong.append(digest)
    return true
  }

  private mutating func noteWrong(_ digest: [UInt8]) {
    if knownWrong.count == Self.knownWrongMax { knownWrong.removeFirst() }
    knownWrong.append(digest)
  }

  /// Whether the request names the listener by an address, or by an operator's name. A page on a name that was made to
  /// lead here sends that name.
  private func isAddressed(by head: RequestHead) -> Bool {
    guard let host = head.values(of: "Host").first else { return false }
    if origins.names(host: host) { return true }
    let name = Self.nameOfHost(host)
    if name == "localhost" { return true }
    guard let address = IPAddress(name) else { return false }
    return address.isLoopback || address == listener.ip || listener.ip.isUnspecified
  }

  /// The Host without its port and brackets, in lower case.
  private static func nameOfHost(_ host: String) -> String {
    if host.hasPrefix("[") {
      let rest = host.drop { $0 != "]" }.dropFirst()
      guard rest.isEmpty || rest.hasPrefix(":") else { return "" }
      return String(host.dropFirst().prefix { $0 != "]" })
    }
    return host.prefix { $0 != ":" }.lowercased()
  }

  private static func digest(of secret: String) -> [UInt8] { Digest.sha256(Array(secret.utf8)) }

  /// The token that a request has shown as its bearer.
  static func bearer(of head: RequestHead) -> String? {
    guard let value = head.values(of: "Authorization").first else { return nil }
    let words = value.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return String(words[1].drop { $0 == " " })
  }

  /// The token of a query; nothing in it needs escapes in a URL.
  private static func token(inQueryOf head: RequestHead) -> String? {
    head.query?.split(separator: "&").first { $0.hasPrefix("token=") }.map { String($0.dropFirst("token=".count)) }
  }
}

// Cookies.
extension OperatorAuthority {
  /// The owner of a cookie's session. An unknown cookie is no guess: it may be from before a restart, and nobody
  /// guesses 256 bits.
  private func session(of head: RequestHead, at now: Instant) -> OperatorIdentity? {
    // A browser sends one.
    for value in head.cookies(named: cookieName).prefix(Self.cookiesMax) {
      if let identity = register.identity(ofCookie: value, at: now) { return identity }
    }
    return nil
  }
}

extension HTTPResponse {
  fileprivate static var unauthorized: HTTPResponse {
    var response = operatorText(401, "open the address that the server printed when it started, or send its token\n")
    response.headers.append(HeaderField("WWW-Authenticate", "Bearer"))
    return response
  }

  /// A redirect to a URL without the token, so that it is in no history and no referrer.
  fileprivate static func toConsole(cookie: String?) -> HTTPResponse {
    var response = operatorText(303, "")
    response.headers.append(HeaderField("Location", "/"))
    if let cookie { response.headers.append(HeaderField("Set-Cookie", cookie)) }
    return response
  }
}
