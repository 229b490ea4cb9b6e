// Requests that nearly every test makes, each in one call.
import MadangProtocol

extension TestPlayer {
  /// Connects and says hello.
  package convenience init(port: UInt16, named nickname: String, subprotocol: Subprotocol = .json) throws {
    try self.init(port: port, subprotocol: subprotocol)
    _ = try hello(nickname)
  }

  @discardableResult
  package func hello(_ nickname: String, secret: String? = nil) throws -> WireWelcome {
    let answer = try request(.hello(Self.hello(nickname, secret: secret)))
    guard case .welcome(let welcome) = answer else { throw TestFailure("no welcome: \(answer)") }
    return welcome
  }

  package static func hello(_ nickname: String, secret: String? = nil) -> WireHello {
    var hello = WireHello()
    hello.nickname = nickname
    hello.deviceSecret = secret ?? "secret of \(nickname) \(UInt64.random(in: .min ... .max))"
    return hello
  }

  package func resume(_ token: String, afterEvent: UInt32? = nil) throws -> WireWelcome {
    let answer = try request(.resume(Self.resume(token, afterEvent: afterEvent)))
    guard case .welcome(let welcome) = answer else { throw TestFailure("no welcome: \(answer)") }
    return welcome
  }

  package static func resume(_ token: String, afterEvent: UInt32? = nil) -> WireResume {
    var resume = WireResume()
    resume.sessionToken = token
    if let afterEvent { resume.afterEvent = afterEvent }
    return resume
  }

  package func login(_ email: String, _ password: String) throws -> WireWelcome {
    let answer = try request(.login(Self.login(email, password)))
    guard case .welcome(let welcome) = answer else { throw TestFailure("no welcome: \(answer)") }
    return welcome
  }

  package static func login(_ email: String, _ password: String) -> WireLogin {
    var login = WireLogin()
    login.email = email
    login.password = password
    return login
  }

  package static func register(_ email: String, _ password: String, named nickname: String) -> WireRegister {
    var register = WireRegister()
    register.email = email
    register.password = password
    register.nickname = nickname
    return register
  }

  package static func setNickname(_ nickname: String) -> WireSetNickname {
    var setNickname = WireSetNickname()
    setNickname.nickname = nickname
    return setNickname
  }

  package static func setPassword(_ password: String, to newPassword: String) -> WireSetPassword {
    var setPassword = WireSetPassword()
    setPassword.password = password
    setPassword.newPassword = newPassword
    return setPassword
  }

  package static func deleteAccount(_ password: String = "") -> WireDeleteAccount {
    var deleteAccount = WireDeleteAccount()
    deleteAccount.password = password
    return deleteAccount
  }

  package static func block(_ playerID: String) -> WireBlock {
    var block = WireBlock()
    block.playerID = playerID
    return block
  }

  package static func unblock(_ playerID: String) -> WireUnblock {
    var unblock = WireUnblock()
    unblock.playerID = playerID
    return unblock
  }

  package func results(after cursor: String = "", limit: UInt32? = nil) throws -> WireResults {
    let answer = try request(.results(Self.results(after: cursor, limit: limit)))
    guard case .results(let results) = answer else { throw TestFailure("no results: \(answer)") }
    return results
  }

  package static func results(after cursor: String = "", limit: UInt32? = nil) -> WireResultsRequest {
    var results = WireResultsRequest()
    results.cursor = cursor
    if let limit { results.limit = limit }
    return results
  }

  package func records() throws -> WireRecords {
    let answer = try request(.records(WireRecordsRequest()))
    guard case .records(let records) = answer else { throw TestFailure("no records: \(answer)") }
    return records
  }

  package func createRoom(_ configure: (inout WireCreateRoom) -> Void = { _ in }) throws -> WireRoom {
    var create = WireCreateRoom()
    create.mode = .footprint
    configure(&create)
    let answer = try request(.createRoom(create))
    guard case .room(let room) = answer else { throw TestFailure("no room: \(answer)") }
    return room
  }

  package func joinRoom(_ code: String, watch: Bool = false) throws -> WireRoom {
    let answer = try request(.joinRoom(Self.join(code, watch: watch)))
    guard case .room(let room) = answer else { throw TestFailure("no room: \(answer)") }
    return room
  }

  package static func join(_ code: String, watch: Bool = false) -> WireJoinRoom {
    var join = WireJoinRoom()
    join.code = code
    join.watch = watch
    return join
  }

  package static func chat(_ text: String) -> WireChatRequest {
    var chat = WireChatRequest()
    chat.text = text
    return chat
  }

  package static func move(_ latE7: Int32, _ lngE7: Int32, accuracyM: UInt32 = 5) -> WireMove {
    var move = WireMove()
    move.latE7 = latE7
    move.lngE7 = lngE7
    move.accuracyM = accuracyM
    return move
  }

  /// Tells fixes that were kept, and returns the answer. Each fix has a time.
  package func tell(_ fixes: [WireMove], more: Bool = false) throws -> WireMoved {
    let answer = try request(.moves(Self.moves(fixes, more: more)))
    guard case .moved(let moved) = answer else { throw TestFailure("no moved: \(answer)") }
    return moved
  }

  /// Fixes that were kept. Each has a time.
  package static func moves(_ fixes: [WireMove], more: Bool = false) -> WireMoves {
    var moves = WireMoves()
    for (index, fix) in fixes.enumerated() {
      moves.afterMs.append(index == 0 ? 0 : UInt32(fix.timeMs - fixes[index - 1].timeMs))
      moves.latE7.append(fix.latE7)
      moves.lngE7.append(fix.lngE7)
      moves.accuracyM.append(fix.accuracyM)
    }
    if let first = fixes.first { moves.timeMs = first.timeMs }
    moves.more = more
    return moves
  }

  package static func school(_ id: String) -> WireChooseSchool {
    var choose = WireChooseSchool()
    choose.schoolID = id
    return choose
  }

  package static func taps(_ batch: UInt32, _ count: Int64) -> WireTap {
    var tap = WireTap()
    tap.batch = batch
    tap.count = count
    return tap
  }

  package func tap(_ batch: UInt32, _ count: Int64) throws -> WireTapped {
    let answer = try request(.tap(Self.taps(batch, count)))
    guard case .tapped(let tapped) = answer else { throw TestFailure("no tapped: \(answer)") }
    return tapped
  }

  package func watchRanking(top: UInt32? = nil) throws -> WireRanking {
    var watch = WireWatchRanking()
    if let top { watch.top = top }
    let answer = try request(.watchRanking(watch))
    guard case .ranking(let ranking) = answer else { throw TestFailure("no ranking: \(answer)") }
    return ranking
  }

  /// The next ranking that is published.
  package func ranking() throws -> WireRanking {
    let message = try first {
      if case .ranking = $0.body { !$0.hasReplyTo } else { false }
    }
    return message.ranking
  }

  /// Makes a request that the server must refuse, and returns the error.
  package func refusal(of body: WireClientMessage.OneOf_Body) throws -> WireError {
    let answer = try request(body)
    guard case .error(let error) = answer else { throw TestFailure("not refused: \(answer)") }
    return error
  }

  /// Makes a request that the server must answer with `ok`.
  package func expectOk(_ body: WireClientMessage.OneOf_Body) throws {
    let answer = try request(body)
    if case .error(let error) = answer { throw TestFailure("not ok: \(error.code) \(error.message)") }
    guard case .ok = answer else { throw TestFailure("not ok: \(answer)") }
  }
}
