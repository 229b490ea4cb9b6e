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
    var resume = WireResume()
    resume.sessionToken = token
    if let afterEvent { resume.afterEvent = afterEvent }
    let answer = try request(.resume(resume))
    guard case .welcome(let welcome) = answer else { throw TestFailure("no welcome: \(answer)") }
    return welcome
  }

  package func createRoom(_ configure: (inout WireCreateRoom) -> Void = { _ in }) throws -> WireRoom {
    var create = WireCreateRoom()
    create.mode = .footprint
    configure(&create)
    let answer = try request(.createRoom(create))
    guard case .room(let room) = answer else { throw TestFailure("no room: \(answer)") }
    return room
  }

  package func joinRoom(_ code: String) throws -> WireRoom {
    let answer = try request(.joinRoom(Self.join(code)))
    guard case .room(let room) = answer else { throw TestFailure("no room: \(answer)") }
    return room
  }

  package static func join(_ code: String) -> WireJoinRoom {
    var join = WireJoinRoom()
    join.code = code
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

  /// Makes a request that the server must refuse, and tells with what.
  package func refusal(of body: WireClientMessage.OneOf_Body) throws -> WireError {
    let answer = try request(body)
    guard case .error(let error) = answer else { throw TestFailure("not refused: \(answer)") }
    return error
  }

  /// Makes a request that the server must answer with `ok`.
  package func expectOk(_ body: WireClientMessage.OneOf_Body) throws {
    let answer = try request(body)
    guard case .ok = answer else { throw TestFailure("not ok: \(answer)") }
  }
}
