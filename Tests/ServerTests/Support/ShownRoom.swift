// The part of a room's copy that operators see as players do, and rooms and ticks within the console's JSON. For tests
// that compare an operator's copy with a player's. A value.
import ClientModel
import Foundation
import MadangProtocol
import TestSupport

struct ShownRoom: Equatable {
  let phase: WirePhase
  let lastEvent: UInt32
  /// By place: nickname, and whether the place is held.
  let members: [String: String]
  let rows: [UInt32: RoomCopy.Row]
  let cells: [UInt32: UInt32]
  var chats: [String]
  let board: [String]

  init(_ copy: RoomCopy) {
    phase = copy.phase
    lastEvent = copy.lastEvent
    let members = copy.members.map { spot, player in (Self.key(spot), player.nickname + (player.held ? " held" : "")) }
    self.members = Dictionary(uniqueKeysWithValues: members)
    rows = copy.rows
    cells = copy.holders
    chats = copy.chats.map(\.chat.text)
    board = copy.board.map { "\($0.rank) \($0.nickname) \($0.points)" }
  }

  private static func key(_ spot: Spot) -> String {
    switch spot {
    case .seat(let seat): "seat \(seat)"
    case .spectator(let number): "spectator \(number)"
    case .nowhere: "nowhere"
    }
  }
}

extension [String: Any] {
  /// A member that is a `Room` or a `Tick` of the players' JSON.
  func wireRoom(_ name: String) throws -> WireRoom {
    guard case .room(let room) = try message("room", name) else { throw TestFailure("no room: \(self)") }
    return room
  }

  func wireTick(_ name: String) throws -> WireTick {
    guard case .tick(let tick) = try message("tick", name) else { throw TestFailure("no tick: \(self)") }
    return tick
  }

  private func message(_ body: String, _ name: String) throws -> WireServerMessage.OneOf_Body? {
    let json = try JSONSerialization.data(withJSONObject: [body: self[name]])
    return try [UInt8](json).withUnsafeBytes { try Subprotocol.json.decodeServerMessage($0) }.body
  }
}
