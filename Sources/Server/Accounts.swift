// Accounts: e-mail and password, nickname, who is blocked, and the end of an account.
//
// On the shard's thread, but for hashing, which is the password desk's. A connection is held until its request is done, so
// that what comes behind is dealt with as who the player is then. A wrong e-mail and a wrong password look alike, and take
// as long.
import Game
import MadangProtocol
import Net
import Store

extension PlayService {
  func login(_ request: WireLogin, _ id: UInt32?, _ session: PlaySession) {
    guard session.state.identity == nil else { return session.refuse(id, .alreadyWelcome) }
    guard let email = checkedEmail(request.email, id, session),
      let password = checkedPassword(request.password, "password", id, session)
    else { return }
    guard canPromise else { return session.refuseForStore(id) }
    guard payForPassword(email.text, id, session) else { return }
    let token = commons.drawToken()
    verify(password, of: email.text, by: { $0.password(ofEmail: email.text, $1) }, id, session) {
      service,
      stored,
      session in
      let change = Change.login(
        stored.player,
        passwordHash: stored.hash,
        session: service.newSession(token, of: session),
        at: service.now
      )
      service.begin(session, change, token, Errand.Reply(id: id, afterEvent: nil))
    }
  }

  func register(_ request: WireRegister, _ id: UInt32?, _ session: PlaySession) {
    guard let identity = session.state.identity else { preconditionFailure("whoever registers has said hello") }
    guard identity.email == nil else { return session.refuse(id, .alreadyRegistered) }
    guard let email = checkedEmail(request.email, id, session),
      let password = checkedPassword(request.password, "password", id, session),
      let nickname = checkedNickname(request.nickname, id, session), payForPassword(email.text, id, session)
    else { return }
    hash(password, id, session) { service, hash, session in
      let change = Change.register(identity.player, email: email.text, passwordHash: hash, nickname: nickname)
      service.change(session, change, id) {
        $0.email = email.text
        $0.nickname = nickname
      }
    }
  }

  func logout(_ id: UInt32?, _ session: PlaySession) {
    guard let identity = session.state.identity else { preconditionFailure("whoever logs out has said hello") }
    session.room?.leave(session)
    // A guest is nothing but a device: forgetting it would be the end of the player.
    let change = Change.endSession(identity.session, at: now, forgetDevice: identity.email != nil)
    self.change(session, change, id) { _ in
    } andThen: {
      $0.closeForGood("logged out")
    }
  }

  func setNickname(_ request: WireSetNickname, _ id: UInt32?, _ session: PlaySession) {
    guard let identity = session.state.identity else { preconditionFailure("whoever has a nickname has said hello") }
    guard let nickname = checkedNickname(request.nickname, id, session), payForRow(id, session) else { return }
    change(session, .setNickname(identity.player, nickname), id) { $0.nickname = nickname }
  }

  func setPassword(_ request: WireSetPassword, _ id: UInt32?, _ session: PlaySession) {
    guard let identity = session.state.identity, let email = identity.email else {
      return session.refuse(id, .notRegistered)
    }
    guard let password = checkedPassword(request.password, "password", id, session),
      let newPassword = checkedPassword(request.newPassword, "newPassword", id, session),
      payForPassword(email, id, session)
    else { return }
    verify(password, of: email, by: { $0.password(ofEmail: email, $1) }, id, session) { service, stored, session in
      service.hash(newPassword, id, session) { service, hash, session in
        let change = Change.setPassword(stored.player, hash: hash, session: identity.session, device: identity.device)
        service.change(session, change, id) { _ in }
      }
    }
  }

  func block(_ request: WireBlock, _ id: UInt32?, _ session: PlaySession) {
    guard let identity = session.state.identity else { preconditionFailure("whoever blocks has said hello") }
    guard let other = PlayerID(request.playerID), other != identity.player else {
      return session.refuse(id, .outOfRange, "playerId: another player's")
    }
    guard payForRow(id, session) else { return }
    change(session, .block(identity.player, other), id) { $0.blocked.insert(other) }
  }

  func unblock(_ request: WireUnblock, _ id: UInt32?, _ session: PlaySession) {
    guard let identity = session.state.identity else { preconditionFailure("whoever unblocks has said hello") }
    guard let other = PlayerID(request.playerID) else {
      return session.refuse(id, .outOfRange, "playerId: 32 hexadecimal digits")
    }
    guard payForRow(id, session) else { return }
    change(session, .unblock(identity.player, other), id) { $0.blocked.remove(other) }
  }

  func deleteAccount(_ request: WireDeleteAccount, _ id: UInt32?, _ session: PlaySession) {
    guard let identity = session.state.identity else { preconditionFailure("whoever has an account has said hello") }
    let address = session.connection.address.ip
    if let wait = budgets.pay(Charge(budget: .deletions, payer: .address(address)), at: core.now) {
      return session.refuse(id, .rateLimited, retryAfterMs: wait)
    }
    guard let email = identity.email else { return deletePlayer(identity.player, id, session) }
    guard let password = checkedPassword(request.password, "password", id, session), payForPassword(email, id, session)
    else { return }
    verify(password, of: email, by: { $0.password(ofEmail: email, $1) }, id, session) { service, stored, session in
      service.deletePlayer(stored.player, id, session)
    }
  }
}

// What the requests share.
extension PlayService {
  /// Charges a row that is about to change; false, and the request is refused, where nothing is left for it.
  private func payForRow(_ id: UInt32?, _ session: PlaySession) -> Bool {
    guard refuseWithoutJournal(id, session) else { return false }
    chargeJournal(of: session, bytes: Self.accountRowBytes)
    return true
  }

  /// Commits a change of the player's account and answers with what came of it; when it was done, their session is changed
  /// by `update` first.
  func change(
    _ session: PlaySession,
    _ change: Change,
    _ id: UInt32?,
    _ update: @escaping (inout Identity) -> Void,
    andThen action: @escaping (PlaySession) -> Void = { _ in }
  ) {
    session.connection.suspend()
    journal.add(change) { outcome in
      guard !session.hasEnded, session.connection.isOpen else { return }
      session.connection.goOn()
      if let code = WireErrorCode(outcome) { return session.refuse(id, code) }
      if var identity = session.state.identity {
        update(&identity)
        session.state.identity = identity
      }
      session.reply(to: id, .ok(WireOk()))
      action(session)
    }
  }

  private func checkedNickname(_ text: String, _ id: UInt32?, _ session: PlaySession) -> String? {
    do throws(TextFault) {
      return try Nickname(text).text
    } catch {
      session.refuse(id, .outOfRange, "nickname: \(error)")
      return nil
    }
  }

  private func checkedEmail(_ text: String, _ id: UInt32?, _ session: PlaySession) -> EmailAddress? {
    if let email = EmailAddress(text) { return email }
    session.refuse(id, .outOfRange, "email: \(Limits.emailBytes) bytes with one @ inside, without white space")
    return nil
  }

  private func checkedPassword(_ text: String, _ field: String, _ id: UInt32?, _ session: PlaySession) -> Password? {
    if let password = Password(text) { return password }
    session.refuse(id, .outOfRange, "\(field): \(Limits.passwordCharacters) characters")
    return nil
  }

  /// Counts an attempt against the e-mail address and against where it comes from; refuses it when there were too many. The
  /// network that tries wrong passwords is locked out long before the account is.
  private func payForPassword(_ email: String, _ id: UInt32?, _ session: PlaySession) -> Bool {
    let address = session.connection.address.ip
    let wait = budgets.pay(
      Charge(budget: .passwordsOfAddress, payer: .address(address)),
      Charge(budget: .passwordsOfEmailFromAddress, payer: .accountFromAddress(email, address)),
      Charge(budget: .passwordsOfEmail, payer: .account(email)),
      at: core.now
    )
    guard let wait else { return true }
    session.refuse(id, .rateLimited, retryAfterMs: wait)
    return false
  }

  /// The password was right: only wrong ones are counted for the account.
  private func giveBackPassword(_ email: String, _ session: PlaySession) {
    budgets.giveBack(
      Charge(budget: .passwordsOfEmailFromAddress, payer: .accountFromAddress(email, session.connection.address.ip)),
      Charge(budget: .passwordsOfEmail, payer: .account(email))
    )
  }

  /// What became of a password that was to be checked.
  private enum PasswordCheck: Sendable {
    case right(StoredPassword)
    case wrong
    case unreadable(StoreFailure)
    /// Too many wait; no password was tried.
    case tooMany
  }

  /// Reads a password's hash, checks the password against it beside the shards, and goes on when it is right.
  private func verify(
    _ password: Password,
    of email: String,
    by read: (any Store, @escaping @Sendable (Result<StoredPassword?, StoreFailure>) -> Void) -> Void,
    _ id: UInt32?,
    _ session: PlaySession,
    _ action: @escaping @Sendable (PlayService, StoredPassword, PlaySession) -> Void
  ) {
    let (desk, store) = (commons.passwords, commons.store)
    awaitPassword(session) { (applicant, answer: @escaping @Sendable (PasswordCheck) -> Void) in
      // How long the check takes is the server's affair.
      if session.state.identity == nil { session.connection.serviceDeadline = nil }
      read(store) { result in
        switch result {
        case .failure(let failure): answer(.unreadable(failure))
        case .success(let stored):
          let isTaken = desk.verify(password, stored?.hash, for: applicant) { isRight in
            answer(stored.flatMap { isRight ? .right($0) : nil } ?? .wrong)
          }
          if !isTaken { answer(.tooMany) }
        }
      }
    } then: { service, session, check in
      if session.state.identity == nil { service.awaitHello(session) }
      // Only wrong passwords that were tried are counted for the account.
      if case .wrong = check {} else { service.giveBackPassword(email, session) }
      switch check {
      case .right(let stored): action(service, stored, session)
      case .wrong: session.refuse(id, .wrongPassword)
      case .unreadable: session.refuseForStore(id)
      case .tooMany: session.refuse(id, .rateLimited, retryAfterMs: 1_000)
      }
    }
  }

  /// Hashes a password beside the shards, and goes on.
  private func hash(
    _ password: Password,
    _ id: UInt32?,
    _ session: PlaySession,
    _ action: @escaping @Sendable (PlayService, String, PlaySession) -> Void
  ) {
    let desk = commons.passwords
    awaitPassword(session) { (applicant, answer: @escaping @Sendable (String?) -> Void) in
      if !desk.hash(password, for: applicant, { answer($0) }) { answer(nil) }
    } then: { service, session, hash in
      guard let hash else { return session.refuse(id, .rateLimited, retryAfterMs: 1_000) }
      action(service, hash, session)
    }
  }

  /// Asks for work on a password, unless the peer has gone meanwhile.
  private func awaitPassword<Answer: Sendable>(
    _ session: PlaySession,
    _ question: (PasswordDesk.Applicant, _ answer: @escaping @Sendable (Answer) -> Void) -> Void,
    then body: @escaping @Sendable (PlayService, PlaySession, Answer) -> Void
  ) {
    guard session.interest.isThere else { return }
    session.awaitsPassword = true
    awaitAnswer(for: session) { answer in
      question(PasswordDesk.Applicant(session), answer)
    } then: { service, session, answer in
      session.awaitsPassword = false
      body(service, session, answer)
    }
  }
}

extension PasswordDesk.Applicant {
  init(_ session: PlaySession) {
    self.init(network: session.connection.address.ip.subscriberNetwork, interest: session.interest)
  }
}

extension WireErrorCode {
  /// What an outcome that is no success is answered with; nil for a success.
  init?(_ outcome: Outcome) {
    switch outcome {
    case .ok, .awarded, .player: return nil
    case .badToken: self = .badToken
    case .banned: self = .banned
    case .sessionExpired: self = .sessionExpired
    case .sessionEnded, .replaced: self = .sessionEnded
    case .emailTaken: self = .emailTaken
    case .nicknameTaken: self = .nicknameTaken
    case .alreadyRegistered: self = .alreadyRegistered
    case .tooMany: self = .tooManyBlocked
    case .noNewPlayers: self = .rateLimited
    case .notFound: self = .playerNotFound
    case .unavailable: self = .storeUnavailable
    }
  }
}
