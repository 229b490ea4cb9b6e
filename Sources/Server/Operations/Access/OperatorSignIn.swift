// Operators come in: name, password and code, and the one-time links by which they set them.
//
// On the operators' shard; passwords are hashed on a thread beside it, one at a time. A wrong name, password or code
// all cost the same, and get the same answer. An address has five tries a minute, right ones too, taken before the
// password is looked at. Who knows a password has few tries at the code.
// Decisions: 130 (docs/decisions).
import ConsoleProtocol
import Cryptography
import Game
import Net
import OperatorAccounts
import WebSocket

/// What signing in needs of the service that it is a part of.
protocol SignInDesk: AnyObject {
  var core: ShardCore { get }
  var server: GameServer { get }
  var register: OperatorRegister { get }
  var signIn: OperatorSignIn { get }

  /// Begins a session of an operator, and answers with its cookie.
  func begin(_ account: OperatorAccount, _ head: RequestHead, from address: IPAddress, _ connection: Connection)

  /// Closes the consoles whose access has ended.
  func reviewConsoles()
}

final class OperatorSignIn {
  /// Calls a body on the operators' shard. Any thread.
  typealias Post = @Sendable (@escaping @Sendable (any SignInDesk) -> Void) -> Void

  private let register: OperatorRegister
  private let passwords = BoundedQueue("madang.operator-passwords", waitingMax: 16)
  private var tries = KeyedRateLimiter<IPAddress>(perMinute: 5)
  /// Links have 256 bits, which nobody guesses: this only bounds the work.
  private var links = KeyedRateLimiter<IPAddress>(perMinute: 30)
  /// Of each operator, with the right password.
  private var codes = KeyedRateLimiter<OperatorName>(burst: 5, tokenMs: 5 * 60 * 1_000)
  /// The newest secret that was drawn for each operator with a link, until it is confirmed.
  private var drawn: [OperatorName: OneTimeCodes] = [:]

  private static let answerSeconds: Int64 = 30
  /// A name, a password of 128 characters and a code, with escapes.
  private static let formBytesMax = 4_096
  private static let passwordLength = 12...128
  private static let differentCharactersMin = 5

  init(_ register: OperatorRegister) {
    self.register = register
  }

  private enum Form: String {
    case signIn = "/console/sign-in"
    case link = "/console/link"
    case password = "/console/password"
  }

  /// One request, up to its answer.
  private struct Asked: Sendable {
    let head: RequestHead
    let address: IPAddress
    let connection: UInt64
    let post: Post

    /// Goes on with it on the operators' shard, unless its connection has gone.
    func goOn(_ body: @escaping @Sendable (any SignInDesk, Connection) -> Void) {
      post { desk in desk.core.connection(for: connection).map { body(desk, $0) } }
    }
  }

  /// Whether a request's body is taken.
  func admit(
    _ head: RequestHead,
    from address: IPAddress,
    on connection: Connection,
    _ post: @escaping Post,
    at now: Instant
  ) -> BodyAdmission {
    guard register.hasPeople, head.method == "PUT", let form = Form(rawValue: head.path) else {
      return .refused(HTTPFailure.methodNotAllowed.response)
    }
    guard head.bodyByteCount <= Self.formBytesMax else { return .refused(.refusedForm(413, "form")) }
    let wait = form == .signIn ? Self.take(&tries, address, at: now) : Self.take(&links, address, at: now)
    if let wait { return .refused(.tooOften(wait)) }
    let asked = Asked(head: head, address: address, connection: connection.token, post: post)
    let body = WholeBody(byteCount: head.bodyByteCount) { [unowned self, unowned connection] bytes in
      guard let bytes else { return }
      do {
        switch form {
        case .signIn: try signIn(FeedSignIn(consoleJSON: bytes), asked)
        case .link: try ask(FeedAskLink(consoleJSON: bytes), connection, at: now)
        case .password: try setPassword(FeedSetPassword(consoleJSON: bytes), asked, connection, at: now)
        }
      } catch {
        connection.answer(.refusedForm(400, "form"))
      }
    }
    return .taken(body, answerSeconds: Self.answerSeconds)
  }

  /// The wait of an address that has no tries left; nil, with one try less, for any other.
  private static func take(
    _ limiter: inout KeyedRateLimiter<IPAddress>,
    _ address: IPAddress,
    at now: Instant
  ) -> Duration? {
    let network = address.subscriberNetwork
    guard !limiter.take(network, at: now) else { return nil }
    return limiter.wait(network, at: now)
  }

  // Signing in.

  private func signIn(_ form: FeedSignIn, _ asked: Asked) {
    let account = OperatorName(form.name).flatMap { register.book.accounts[$0] }
    let (password, code, hash) = (Array(form.password.utf8), form.code, account?.passwordHash)
    let isTaken = passwords.run {
      let isRight = PasswordHash.verify(password, hash ?? PasswordHash.decoy) && hash != nil
      asked.goOn { $0.signIn.end(isRight ? account : nil, code, asked, $0, $1) }
    }
    if !isTaken { asked.goOn { $1.answer(.refusedForm(503, "busy")) } }
  }

  /// Ends signing in with an operator whose password was right, or with nil.
  private func end(
    _ checked: OperatorAccount?,
    _ code: String,
    _ asked: Asked,
    _ service: any SignInDesk,
    _ connection: Connection
  ) {
    let now = Instant(service.core.now)
    // The operator may have been changed meanwhile.
    guard let checked, let account = register.book.accounts[checked.name], account.proof == checked.proof else {
      return connection.answer(.refusedForm(401, "wrong"))
    }
    guard account.codes != nil else { return service.begin(account, asked.head, from: asked.address, connection) }
    guard codes.wait(account.name, at: now) == .zero else { return connection.answer(.refusedForm(401, "wrong")) }
    let isUsed = register.use(code: code, of: account, at: now) { _ in
      // Where the file can't be written, the code is used for as long as the server runs.
      asked.goOn { service, connection in
        guard let present = service.register.book.accounts[account.name], present.proof == account.proof else {
          return connection.answer(.refusedForm(401, "wrong"))
        }
        service.begin(present, asked.head, from: asked.address, connection)
      }
    }
    guard !isUsed else { return }
    _ = codes.take(account.name, at: now)
    connection.answer(.refusedForm(401, "wrong"))
  }

  // Links.

  private func ask(_ form: FeedAskLink, _ connection: Connection, at now: Instant) {
    guard let account = register.book.account(ofLink: form.link, at: now), let link = account.link else {
      return connection.answer(.refusedForm(404, "link"))
    }
    let codes = OneTimeCodes()
    drawn[account.name] = codes
    let answer = FeedAskedLink.with {
      $0.operator = account.name.text
      $0.role = account.role.rawValue
      $0.expiresAtMs = link.expiresAt.milliseconds
      $0.codeSecret = codes.text
      if let picture = QRCode(codes.address(of: account.name)) { $0.codePicture = picture.svg }
    }
    connection.answer(.operator(200, "application/json", answer.consoleJSON))
  }

  private func setPassword(_ form: FeedSetPassword, _ asked: Asked, _ connection: Connection, at now: Instant) {
    guard let account = register.book.account(ofLink: form.link, at: now) else {
      return connection.answer(.refusedForm(404, "link"))
    }
    guard Self.isGood(form.password) else { return connection.answer(.refusedForm(400, "password")) }
    var confirmed: (codes: OneTimeCodes, step: Int64)?
    if form.hasCode {
      guard let codes = drawn[account.name], let step = codes.step(of: form.code, at: now, after: account.usedStep)
      else {
        return connection.answer(.refusedForm(400, "code"))
      }
      confirmed = (codes, step)
    }
    let (password, link, codes, step) = (Array(form.password.utf8), form.link, confirmed?.codes, confirmed?.step ?? 0)
    let isTaken = passwords.run {
      let hash = PasswordHash.make(of: password)
      asked.goOn { service, _ in service.signIn.record(account, link, hash, codes, step, asked, service) }
    }
    if !isTaken { connection.answer(.refusedForm(503, "busy")) }
  }

  /// Writes the row of the audit log, then sets the password.
  private func record(
    _ account: OperatorAccount,
    _ link: String,
    _ hash: String,
    _ codes: OneTimeCodes?,
    _ step: Int64,
    _ asked: Asked,
    _ service: any SignInDesk
  ) {
    let detail = codes == nil ? "without one-time codes" : "with one-time codes"
    AccessAudit(server: service.server).record("setPassword", detail, by: account.name.text, from: asked.address) {
      why in
      asked.goOn { service, connection in
        guard why == nil else { return connection.answer(.refusedForm(503, "busy")) }
        let now = Instant(service.core.now)
        let signIn = service.signIn
        let changed = service.register.setPassword(ofLink: link, hash, codes, usedStep: step, at: now) { _ in
          asked.goOn { service, connection in
            // Somebody may have reset or removed the operator meanwhile.
            guard let present = service.register.book.accounts[account.name], present.passwordHash == hash else {
              return connection.answer(.refusedForm(404, "link"))
            }
            service.server.context.notify(.operatorActed(.setPassword(account.name.text)))
            service.begin(present, asked.head, from: asked.address, connection)
          }
        }
        guard changed != nil else { return connection.answer(.refusedForm(404, "link")) }
        signIn.drawn[account.name] = nil
        service.reviewConsoles()
      }
    }
  }

  /// Length is what counts; composition is nobody's business (NIST SP 800-63B, 3.1.1.2).
  private static func isGood(_ password: String) -> Bool {
    passwordLength.contains(password.count) && Set(password).count >= differentCharactersMin
  }
}

extension HTTPResponse {
  fileprivate static func refusedForm(_ status: Int, _ fault: String) -> HTTPResponse {
    .operator(status, "application/json", FeedRefusedForm.with { $0.fault = fault }.consoleJSON).last
  }

  fileprivate static func tooOften(_ wait: Duration) -> HTTPResponse {
    var response = refusedForm(429, "tooOften")
    response.headers.append(HeaderField("Retry-After", String(wait.components.seconds + 1)))
    return response
  }
}
