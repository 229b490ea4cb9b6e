// Rooms of walking players, on the server whose instructions are counted.
//
// Used on one thread. Each player walks north at 1.2 m/s from a place of their own, so each move is accepted and every
// fifth scores. A message that is no tick ends the run while the games are on.
import MadangProtocol

final class InstructionsGame {
  static let ticksPerSecond = 10
  static let tickMs: Int64 = 100
  /// The fixes of a message that tells a minute.
  static let lateFixes = 60
  private static let durationS: UInt32 = 7_200
  /// 1e-7 degree of latitude is 11.119508 mm.
  private static let stepLatE7: Int32 = 108

  private let server: InstructionsServer
  private let subprotocol: Subprotocol
  let players: [InstructionsPeer]
  private var latE7: [Int32]
  /// The first bytes of every message with a tick.
  private let tickPrefix: [UInt8]
  private var framesTaken = 0

  /// Rooms of `players` each, in which games are on.
  init(rooms: Int, players: Int, _ subprotocol: Subprotocol, on server: InstructionsServer) throws {
    self.server = server
    self.subprotocol = subprotocol
    tickPrefix = Self.tickPrefix(subprotocol)
    var all: [InstructionsPeer] = []
    for _ in 0..<rooms {
      var code = ""
      for seat in 0..<players {
        let peer = try InstructionsPeer(all.count, path: "/v1/play", subprotocol, to: server)
        all.append(peer)
        try Self.enter(peer, seat, of: players, &code, on: server)
      }
    }
    self.players = all
    latE7 = (0..<all.count).map { 370_000_000 + Int32($0) * 10_000 }
    for room in 0..<rooms {
      guard case .ok = try all[room * players].ask(.startGame(.init()), of: server) else {
        throw BenchFailure(description: "a game does not start")
      }
    }
    // The first second of all players, and the messages about joining.
    for player in self.players { try move(player) }
    for _ in 0..<Self.ticksPerSecond { try passTick() }
    framesTaken = 0
  }

  private static func enter(
    _ peer: InstructionsPeer,
    _ seat: Int,
    of players: Int,
    _ code: inout String,
    on server: InstructionsServer
  ) throws {
    var hello = WireHello()
    hello.nickname = "player \(peer.number)"
    hello.deviceSecret = "the secret of device \(peer.number)"
    guard case .welcome = try peer.ask(.hello(hello), of: server) else {
      throw BenchFailure(description: "no welcome")
    }
    let answer: WireServerMessage.OneOf_Body
    if seat == 0 {
      var room = WireCreateRoom()
      room.mode = .footprint
      room.capacity = UInt32(players)
      room.durationS = durationS
      room.tickHz = UInt32(ticksPerSecond)
      answer = try peer.ask(.createRoom(room), of: server)
    } else {
      var join = WireJoinRoom()
      join.code = code
      answer = try peer.ask(.joinRoom(join), of: server)
    }
    guard case .room(let room) = answer else { throw BenchFailure(description: "no room: \(answer)") }
    code = room.code
  }

  /// Moves a player on by a second.
  func move(_ player: InstructionsPeer) throws {
    latE7[player.number] += Self.stepLatE7
    var move = WireMove()
    move.latE7 = latE7[player.number]
    move.lngE7 = 1_270_000_000
    move.accuracyM = 5
    move.timeMs = server.nowMs
    try player.send(.move(move))
  }

  /// Tells a player's fixes of the minute that ends now.
  func tellMinute(_ player: InstructionsPeer) throws {
    var moves = WireMoves()
    moves.timeMs = server.nowMs - Int64(Self.lateFixes - 1) * 1_000
    for number in 0..<Self.lateFixes {
      latE7[player.number] += Self.stepLatE7
      moves.afterMs.append(number == 0 ? 0 : 1_000)
      moves.latE7.append(latE7[player.number])
      moves.lngE7.append(1_270_000_000)
      moves.accuracyM.append(5)
    }
    try player.send(.moves(moves), id: 1)
  }

  /// Takes the answer to `tellMinute`, and checks that every fix was accepted.
  func checkMinute(_ player: InstructionsPeer) throws {
    var accepted: UInt32 = 0
    for _ in 0..<100 where accepted == 0 {
      _ = try player.takeMessages { payload in
        if case .moved(let moved) = try subprotocol.decodeServerMessage(payload).body { accepted = moved.accepted }
      }
      server.advance(milliseconds: 10)
      try server.rest()
    }
    guard accepted == Self.lateFixes else {
      throw BenchFailure(description: "\(accepted) of \(Self.lateFixes) late fixes were accepted")
    }
  }

  /// A second without a move.
  func passSecond() throws {
    server.advance(milliseconds: 1_000)
    try server.rest()
    _ = try takeFrames()
  }

  /// A tick of every room, which all players receive.
  func passTick() throws {
    server.advance(milliseconds: Self.tickMs)
    try server.rest()
    _ = try takeFrames()
  }

  /// Receives everything that has come; returns the number of frames.
  func takeFrames() throws -> Int {
    var count = 0
    for player in players {
      count += try player.takeMessages { payload in
        guard payload.prefix(tickPrefix.count).elementsEqual(tickPrefix) else {
          let message = try? subprotocol.decodeServerMessage(payload)
          throw BenchFailure(description: "player \(player.number) is told \(message as Any)")
        }
      }
    }
    framesTaken += count
    return count
  }

  /// Checks that moves were reported, or the count would mean nothing.
  func check() throws {
    guard framesTaken > 0 else { throw BenchFailure(description: "no tick came") }
  }

  /// The first bytes of every message with a tick.
  private static func tickPrefix(_ subprotocol: Subprotocol) -> [UInt8] {
    var message = WireServerMessage()
    var tick = WireTick()
    tick.tick = 1
    message.tick = tick
    var bytes: [UInt8] = []
    subprotocol.append(message, to: &bytes)
    let text = Array(#"{"tick":"#.utf8)
    return subprotocol.isText ? text : Array(bytes.prefix(1))
  }
}
