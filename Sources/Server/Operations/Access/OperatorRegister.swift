// The operators, tokens and sessions of the running server, and the files that have them.
//
// Owned by the operators' one shard and used on its queue. A change holds at once; its file is written on a thread
// beside the shard, in the order of changes, and what must not come back after a crash is answered behind that.
// Decisions: 132 (docs/decisions).
import Cryptography
import Dispatch
import Game
import Gateway
import Net
import OperatorAccounts

final class OperatorRegister {
  private(set) var book: OperatorBook
  /// Oldest first.
  private(set) var sessions: [OperatorSession]
  /// The open feeds of each session.
  private(set) var feedCounts: [String: Int] = [:]
  /// The data folder; nil where nothing is kept.
  private let folder: String?
  private let tokenDigest: [UInt8]
  private let random: RandomSource
  private let files = DispatchQueue(label: "madang.operators")

  static let sessionsOfTokenMax = 64
  static let sessionsOfPersonMax = 8
  /// The age from which on the file's time of a session's last request is renewed.
  private static let seenPeriod = Duration.seconds(5 * 60)

  /// Reads what a data folder has. Thread-safe values, made before the shard is.
  struct Content: Sendable {
    var book = OperatorBook()
    var sessions: [OperatorSession] = []

    /// - Throws: `OperatorFileFault` for a file that can't be read.
    init(folder: String?) throws(OperatorFileFault) {
      guard let folder else { return }
      book = try OperatorBook(inFolder: folder)
      sessions = try OperatorSessions.read(inFolder: folder)
    }
  }

  init(_ content: Content, folder: String?, token: String, random: @escaping RandomSource) {
    (book, sessions) = (content.book, content.sessions)
    self.folder = folder
    tokenDigest = OperatorSecret.digest(of: token)
    self.random = random
  }

  var hasPeople: Bool { !book.accounts.isEmpty }

  // Proofs.

  /// The owner of a token; nil for an unknown one.
  func identity(ofToken text: String) -> OperatorIdentity? {
    let digest = OperatorSecret.digest(of: text)
    let named = book.token(digest)
    if ConstantTime.areEqual(digest, tokenDigest) { return .serverToken }
    return named.map { OperatorIdentity(kind: .token($0.name), role: $0.role, session: nil) }
  }

  /// Whether this is the server's own token, which alone begins sessions.
  func isServerToken(_ text: String) -> Bool {
    ConstantTime.areEqual(OperatorSecret.digest(of: text), tokenDigest)
  }

  /// The owner of a session's cookie; nil for an unknown one.
  func identity(ofCookie value: String, at now: Instant) -> OperatorIdentity? {
    forgetEnded(at: now)
    let digest = OperatorSecret.digest(of: value)
    guard let index = sessions.firstIndex(where: { ConstantTime.areEqual($0.digest, digest) }) else { return nil }
    if now - sessions[index].seenAt >= Self.seenPeriod {
      sessions[index].seenAt = now
      saveSessions()
    }
    sessions[index].seenAt = now
    return identity(of: sessions[index])
  }

  /// The identity now of one as it was before; nil when it holds no more.
  func current(_ identity: OperatorIdentity) -> OperatorIdentity? {
    if let session = identity.session {
      return sessions.first { $0.id == session }.flatMap { self.identity(of: $0) }
    }
    switch identity.kind {
    case .serverToken: return identity
    case .token(let name):
      return book.tokens[name].map { OperatorIdentity(kind: .token(name), role: $0.role, session: nil) }
    case .person: return nil
    }
  }

  /// The owner of a session; nil when its proof is good no more.
  private func identity(of session: OperatorSession) -> OperatorIdentity? {
    guard let name = session.name else {
      guard session.proof == proofOfToken else { return nil }
      return OperatorIdentity(kind: .serverToken, role: .admin, session: session.id)
    }
    guard let account = book.accounts[name], account.proof == session.proof else { return nil }
    return OperatorIdentity(kind: .person(name), role: account.role, session: session.id)
  }

  /// A session of the token ends with the token, and outlives a restart with the same one.
  private var proofOfToken: String {
    "token-" + Hexadecimal.encode(Array(Digest.sha256(tokenDigest).prefix(16)))
  }

  // Sessions.

  /// Begins a session of an operator, or of the server's token.
  ///
  /// - Returns: the cookie's value.
  func beginSession(_ account: OperatorAccount?, at now: Instant, from address: IPAddress, browser: String) -> String {
    forgetEnded(at: now)
    let value = Hexadecimal.encode(random(32))
    let others = sessions.filter { $0.name == account?.name }
    if others.count >= (account == nil ? Self.sessionsOfTokenMax : Self.sessionsOfPersonMax) {
      sessions.removeAll { $0.id == others[0].id }
    }
    sessions.append(
      OperatorSession(
        cookie: value,
        account?.name,
        proof: account?.proof ?? proofOfToken,
        at: now,
        address: "\(address)",
        browser: browser
      )
    )
    saveSessions()
    return value
  }

  /// Ends the sessions that fit; true if there were any. `completion` is called when they can't come back.
  func endSessions(
    where fits: (OperatorSession) -> Bool,
    _ completion: @escaping @Sendable (OperatorFileFault?) -> Void
  ) -> Bool {
    let count = sessions.count
    sessions.removeAll(where: fits)
    guard sessions.count < count else { return false }
    saveSessions(completion)
    return true
  }

  /// Forgets what has ended while no server ran.
  func begin(at now: Instant) {
    let count = sessions.count
    forgetEnded(at: now)
    if sessions.count < count { saveSessions() }
  }

  /// Forgets sessions whose time is over, unless a console of theirs is open, and those whose proof is good no more.
  private func forgetEnded(at now: Instant) {
    sessions.removeAll { session in
      identity(of: session) == nil || session.expiresAt <= now && feedCounts[session.id] == nil
    }
  }

  func feedOpened(_ session: String?) {
    if let session { feedCounts[session, default: 0] += 1 }
  }

  func feedClosed(_ session: String?) {
    guard let session, let count = feedCounts[session] else { return }
    feedCounts[session] = count > 1 ? count - 1 : nil
  }

  // Operators.

  /// Tries a change, and changes nothing.
  func check(_ change: AccessChange, at now: Instant) throws(OperatorRefusal) {
    var trial = book
    _ = try change.apply(to: &trial, at: now)
  }

  /// Makes a change, which holds at once. `completion` is called when its file is written.
  func apply(
    _ change: AccessChange,
    at now: Instant,
    _ completion: @escaping @Sendable (AccessChange.Shown, OperatorFileFault?) -> Void
  ) throws(OperatorRefusal) {
    let shown = try change.apply(to: &book, at: now)
    forgetEnded(at: now)
    saveSessions()
    saveBook { completion(shown, $0) }
  }

  /// Sets a password by a one-time link, which is spent then; nil when the link is good no more.
  func setPassword(
    ofLink link: String,
    _ hash: String,
    _ codes: OneTimeCodes?,
    usedStep: Int64,
    at now: Instant,
    _ completion: @escaping @Sendable (OperatorFileFault?) -> Void
  ) -> OperatorAccount? {
    let account = book.setPassword(ofLink: link, hash, codes, usedStep: usedStep, at: now)
    if account != nil {
      forgetEnded(at: now)
      saveBook(completion)
    }
    return account
  }

  /// Uses a one-time code; false when it is wrong or used. `completion` is called when it can't be used again.
  func use(
    code: String,
    of account: OperatorAccount,
    at now: Instant,
    _ completion: @escaping @Sendable (OperatorFileFault?) -> Void
  ) -> Bool {
    guard let codes = account.codes, let step = codes.step(of: code, at: now, after: account.usedStep) else {
      return false
    }
    book.use(step: step, of: account.name)
    saveBook(completion)
    return true
  }

  // Files.

  private func saveBook(_ completion: @escaping @Sendable (OperatorFileFault?) -> Void) {
    save(folder.map(OperatorBook.file), book.text, completion)
  }

  private func saveSessions(_ completion: @escaping @Sendable (OperatorFileFault?) -> Void = { _ in }) {
    save(folder.map(OperatorSessions.file), OperatorSessions.text(of: sessions), completion)
  }

  private func save(
    _ file: PrivateFile?,
    _ text: String,
    _ completion: @escaping @Sendable (OperatorFileFault?) -> Void
  ) {
    guard let file else { return completion(nil) }
    files.async {
      do throws(OperatorFileFault) {
        try file.write(text)
        completion(nil)
      } catch {
        completion(error)
      }
    }
  }
}
