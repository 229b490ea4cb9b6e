// Accounts: e-mail and password, nickname, blocked players, and the end of an account.
//
// On the shard's queue, except for hashing, which runs on the hashing queue. A connection is held until its request is
// done, so that later messages are handled as the player's new state. A wrong e-mail and a wrong password look alike,
// and take as long.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Accounts {
  func login(_ wire: WireLogin, _ request: OpenRequest) {
    guard request.session.state.identity == nil else { return request.refuse(.alreadyWelcome) }
    noteExplain(wire.explain, request.session)
    guard let email = checkedEmail(wire.email, request),
      let password = checkedPassword(wire.password, "password", request)
    else { return }
    guard gateway.canPromise else { return request.refuseForStore() }
    guard payForPassword(email.text, request) else { return }
    let token = SessionToken(drawnBy: gateway.context.configuration.random)
    verify(password, of: email.text, by: { $0.password(ofEmail: email.text, $1) }, request) {
      accounts,
      request,
      stored in
      let change = SessionChange.login(
        stored.player,
        passwordHash: stored.hash,
        session: accounts.newSession(token, of: request.session),
        at: accounts.gateway.now
      )
      accounts.begin(request.session, change, token, WelcomeReply(id: request.id, afterEvent: nil))
    }
  }

  func register(_ wire: WireRegister, _ request: PlayerRequest) {
    guard request.session.email == nil else { return request.refuse(.alreadyRegistered) }
    guard let email = checkedEmail(wire.email, request),
      let password = checkedPassword(wire.password, "password", request),
      let nickname = checkedNickname(wire.nickname, request), payForPassword(email.text, request)
    else { return }
    hash(password, request) { accounts, request, hash in
      let change = AccountChange.register(request.player, email: email.text, passwordHash: hash, nickname: nickname)
      accounts.change(request, change) {
        $0.email = email.text
        $0.state.identity?.nickname = nickname
        $0.state.identity?.isAccount = true
      }
    }
  }

  func logout(_: WireLogout, _ request: PlayerRequest) {
    let session = request.session
    rooms.leave(session)
    // A guest is nothing but a device: forgetting it would be the end of the player.
    let change = AccountChange.endSession(
      request.asker.session,
      at: gateway.now,
      forgetDevice: request.session.email != nil
    )
    self.change(request, change) { _ in
    } andThen: {
      $0.closeForGood("logged out")
    }
  }

  func setNickname(_ wire: WireSetNickname, _ request: PlayerRequest) {
    guard let nickname = checkedNickname(wire.nickname, request), payForRow(request) else { return }
    change(request, .setNickname(request.player, nickname)) { $0.state.identity?.nickname = nickname }
  }

  func setPassword(_ wire: WireSetPassword, _ request: PlayerRequest) {
    guard let email = request.session.email else { return request.refuse(.notRegistered) }
    guard let password = checkedPassword(wire.password, "password", request),
      let newPassword = checkedPassword(wire.newPassword, "newPassword", request),
      payForPassword(email, request)
    else { return }
    verify(password, of: email, by: { $0.password(ofEmail: email, $1) }, request) { accounts, request, stored in
      accounts.hash(newPassword, request) { accounts, request, hash in
        let (session, device) = (request.asker.session, request.session.device)
        let change = AccountChange.setPassword(stored.player, hash: hash, session: session, device: device)
        accounts.change(request, change) { _ in }
      }
    }
  }

  func block(_ wire: WireBlock, _ request: PlayerRequest) {
    guard let other = PlayerID(wire.playerID), other != request.player else {
      return request.refuse(.outOfRange, "playerId: another player's")
    }
    guard payForRow(request) else { return }
    changeBlocked(request, .block(request.player, other)) { $0.insert(other) }
  }

  func unblock(_ wire: WireUnblock, _ request: PlayerRequest) {
    guard let other = PlayerID(wire.playerID) else {
      return request.refuse(.outOfRange, "playerId: 32 hexadecimal digits")
    }
    guard payForRow(request) else { return }
    changeBlocked(request, .unblock(request.player, other)) { $0.remove(other) }
  }

  private func changeBlocked(
    _ request: PlayerRequest,
    _ change: AccountChange,
    _ update: @escaping (inout Set<PlayerID>) -> Void
  ) {
    self.change(request, change) {
      update(&$0.blocked)
    } andThen: { [moderation] in
      moderation.blocksChanged(of: $0)
    }
  }

  func answerBlockedPlayers(_: WireBlockedPlayersRequest, _ request: PlayerRequest) {
    answerFromStore(request, orElse: .playerNotFound) { store, player, finish in
      store.blockedPlayers(of: player) { blocked in
        finish(
          blocked.map { blocked in
            var answer = WireBlockedPlayers()
            answer.players = blocked.map { other in
              var row = WireBlockedPlayer()
              row.playerID = other.id.description
              row.nickname = other.nickname
              return row
            }
            return .blockedPlayers(answer)
          }
        )
      }
    }
  }

  func deleteAccount(_ wire: WireDeleteAccount, _ request: PlayerRequest) {
    let address = request.session.connection.address.ip
    if let wait = gateway.budgets.pay(Charge(budget: .deletions, payer: .address(address)), at: gateway.core.now) {
      return request.refuse(.rateLimited, retryAfterMs: wait)
    }
    guard let email = request.session.email else { return deletePlayer(request) }
    guard let password = checkedPassword(wire.password, "password", request), payForPassword(email, request)
    else { return }
    verify(password, of: email, by: { $0.password(ofEmail: email, $1) }, request) { accounts, request, _ in
      accounts.deletePlayer(request)
    }
  }
}

// Shared helpers of the requests.
extension Accounts {
  /// The size of an account's change in the store; bytes.
  private static let accountRowBytes: Int64 = 512

  /// Charges a row that is about to change; false, and the request is refused, where the budget is spent.
  private func payForRow(_ request: PlayerRequest) -> Bool {
    guard gateway.refuseWithoutJournal(request) else { return false }
    gateway.chargeJournal(of: request.session, bytes: Self.accountRowBytes)
    return true
  }

  /// Commits a change of the player's account and answers with its outcome. After a success `update` changes their
  /// session first.
  func change(
    _ request: PlayerRequest,
    _ change: AccountChange,
    _ update: @escaping (Session) -> Void,
    andThen action: @escaping (Session) -> Void = { _ in }
  ) {
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: change, for: request.session, orElse: giveUp) { outcome, session in
      guard let session else { return }
      if case .unavailable = outcome { return request.refuseForStore() }
      if let code = WireErrorCode(outcome) { return request.refuse(code) }
      update(session)
      request.reply(.ok(WireOk()))
      action(session)
    }
  }

  private func checkedNickname(_ text: String, _ request: Request<some Sendable>) -> String? {
    do throws(TextFault) {
      let nickname = try Nickname(text).text
      return gateway.allowsWords(of: request, nickname) ? nickname : nil
    } catch {
      request.refuse(.outOfRange, "nickname: \(error)")
      return nil
    }
  }

  private func checkedEmail(_ text: String, _ request: Request<some Sendable>) -> EmailAddress? {
    if let email = EmailAddress(text) { return email }
    request.refuse(.outOfRange, "email: \(Limits.emailBytes) bytes with one @ inside, without white space")
    return nil
  }

  private func checkedPassword(_ text: String, _ field: String, _ request: Request<some Sendable>) -> Password? {
    if let password = Password(text) { return password }
    request.refuse(.outOfRange, "\(field): \(Limits.passwordCharacters) characters")
    return nil
  }

  /// Counts an attempt against the e-mail address and the client's network; refuses it when there were too many. The
  /// network of wrong passwords is locked out long before the account is.
  private func payForPassword(_ email: String, _ request: Request<some Sendable>) -> Bool {
    let address = request.session.connection.address.ip
    let wait = gateway.budgets.pay(
      Charge(budget: .passwordsOfAddress, payer: .address(address)),
      Charge(budget: .passwordsOfEmailFromAddress, payer: .keyFromAddress(email, address)),
      Charge(budget: .passwordsOfEmail, payer: .key(email)),
      at: gateway.core.now
    )
    guard let wait else { return true }
    request.refuse(.rateLimited, retryAfterMs: wait)
    return false
  }

  /// Gives back a right password: only wrong ones count against the account.
  private func giveBackPassword(_ email: String, _ session: Session) {
    gateway.budgets.giveBack(
      Charge(budget: .passwordsOfEmailFromAddress, payer: .keyFromAddress(email, session.connection.address.ip)),
      Charge(budget: .passwordsOfEmail, payer: .key(email))
    )
  }

  /// The outcome of a password's check.
  private enum PasswordCheck: Sendable {
    case right(StoredPassword)
    case wrong
    case unreadable(StoreFailure)
    /// Too many requests wait; no password was tried.
    case tooMany
  }

  /// Reads a password's hash, checks the password against it off the shards, and continues if it is right.
  private func verify<Asker>(
    _ password: Password,
    of email: String,
    by read: (any Store, @escaping @Sendable (Result<StoredPassword?, StoreFailure>) -> Void) -> Void,
    _ request: Request<Asker>,
    _ action: @escaping @Sendable (Accounts, Request<Asker>, StoredPassword) -> Void
  ) {
    let (queue, store) = (passwords, gateway.context.store)
    awaitPassword(request) { (requester, answer: @escaping @Sendable (PasswordCheck) -> Void) in
      // The check takes the server's time, not the client's.
      if request.session.state.identity == nil { request.session.connection.serviceDeadline = nil }
      read(store) { result in
        switch result {
        case .failure(let failure): answer(.unreadable(failure))
        case .success(let stored):
          let isTaken = queue.verify(password, stored?.hash, for: requester) { isRight in
            answer(stored.flatMap { isRight ? .right($0) : nil } ?? .wrong)
          }
          if !isTaken { answer(.tooMany) }
        }
      }
    } then: { accounts, request, check in
      if request.session.state.identity == nil { accounts.gateway.awaitHello(request.session) }
      // Only wrong passwords that were tried count against the account.
      if case .wrong = check {} else { accounts.giveBackPassword(email, request.session) }
      switch check {
      case .right(let stored): action(accounts, request, stored)
      case .wrong: request.refuse(.wrongPassword)
      case .unreadable: request.refuseForStore()
      case .tooMany: request.refuse(.rateLimited, retryAfterMs: 1_000)
      }
    }
  }

  /// Hashes a password off the shards, and continues.
  private func hash(
    _ password: Password,
    _ request: PlayerRequest,
    _ action: @escaping @Sendable (Accounts, PlayerRequest, String) -> Void
  ) {
    let queue = passwords
    awaitPassword(request) { (requester, answer: @escaping @Sendable (String?) -> Void) in
      if !queue.hash(password, for: requester, { answer($0) }) { answer(nil) }
    } then: { accounts, request, hash in
      guard let hash else { return request.refuse(.rateLimited, retryAfterMs: 1_000) }
      action(accounts, request, hash)
    }
  }

  /// Requests work on a password, unless the peer has gone meanwhile.
  private func awaitPassword<Asker, Answer: Sendable>(
    _ request: Request<Asker>,
    _ question: (HashingQueue.Requester, _ answer: @escaping @Sendable (Answer) -> Void) -> Void,
    then body: @escaping @Sendable (Accounts, Request<Asker>, Answer) -> Void
  ) {
    let part = request.session.part(orAdd: AccountSession())
    guard !part.cancellation.isCancelled else { return }
    part.awaitsPassword = true
    awaitAnswer(for: request) { answer in
      question(HashingQueue.Requester(request.session, part.cancellation), answer)
    } then: { accounts, request, answer in
      request.session.part(AccountSession.self)?.awaitsPassword = false
      body(accounts, request, answer)
    }
  }
}

extension HashingQueue.Requester {
  fileprivate init(_ session: Session, _ cancellation: HashingQueue.Cancellation) {
    self.init(network: session.connection.address.ip.subscriberNetwork, cancellation: cancellation)
  }
}

extension WireErrorCode {
  /// The error code of a failed outcome; nil for a success.
  init?(_ outcome: AccountOutcome) {
    switch outcome {
    case .ok, .reset: return nil
    case .emailTaken: self = .emailTaken
    case .nicknameTaken: self = .nicknameTaken
    case .alreadyRegistered: self = .alreadyRegistered
    case .tooMany: self = .tooManyBlocked
    case .notFound: self = .playerNotFound
    case .unavailable: self = .storeUnavailable
    }
  }

  /// The error code of a failed outcome; nil for a success.
  init?(_ outcome: SessionOutcome) {
    switch outcome {
    case .player: return nil
    case .badToken: self = .badToken
    case .banned: self = .banned
    case .sessionExpired: self = .sessionExpired
    case .sessionEnded, .replaced: self = .sessionEnded
    case .noNewPlayers: self = .rateLimited
    case .notFound: self = .playerNotFound
    case .unavailable: self = .storeUnavailable
    }
  }
}
