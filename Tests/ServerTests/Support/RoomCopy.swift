// A client's copy of a room, from its state and its ticks. For tests that compare two clients' copies.
import Foundation
import MadangProtocol
import TestSupport

struct RoomCopy: Equatable {
  struct Row: Equatable {
    let latE7: Int32
    let lngE7: Int32
    let points: UInt32
  }

  private(set) var phase: WirePhase
  private(set) var lastEvent: UInt32
  /// By place: nickname, and whether the place is held.
  private(set) var members: [String: String] = [:]
  private(set) var rows: [UInt32: Row] = [:]
  private(set) var cells: [UInt32: UInt32] = [:]
  private(set) var chats: [String] = []
  private(set) var board: [String]
  /// No event was left out.
  private(set) var isWhole = true

  init(_ room: WireRoom) {
    phase = room.phase
    lastEvent = room.lastEvent
    board = room.board.map { "\($0.rank) \($0.nickname) \($0.points)" }
    for player in room.players { enter(player) }
    take(room.seats, room.latE7, room.lngE7, room.points)
    take(room.cellStarts, room.cellCounts, room.cellSeats)
    chats = room.chats.map(\.chat.text)
  }

  /// Removes a chat, as if it had not been said.
  mutating func forget(chat text: String) {
    chats.removeAll { $0 == text }
  }

  mutating func apply(_ tick: WireTick) {
    for event in tick.events where event.number > lastEvent {
      isWhole = isWhole && event.number == lastEvent + 1
      lastEvent = event.number
      apply(event)
    }
    take(tick.seats, tick.latE7, tick.lngE7, tick.points)
    take(tick.cellStarts, tick.cellCounts, tick.cellSeats)
  }

  private mutating func apply(_ event: WireEvent) {
    switch event.body {
    case .joined(let player): enter(player)
    case .left(let place): members[Self.key(place)] = nil
    case .held(let place): members[Self.key(place), default: ""] += " held"
    case .back(let place):
      members[Self.key(place)] = members[Self.key(place)].map { $0.replacing(" held", with: "") }
    case .phase(let change):
      phase = change.phase
      if change.phase == .playing { (rows, cells, board) = ([:], [:], []) }
      if change.phase == .ended { board = change.board.map { "\($0.rank) \($0.nickname) \($0.points)" } }
    case .chat(let chat): chats.append(chat.text)
    case .host, .captured, nil: break
    }
  }

  private mutating func enter(_ player: WirePlayer) {
    var place = WirePlace()
    if case .spectator(let number) = player.place { place.spectator = number } else { place.seat = player.seat }
    members[Self.key(place)] = player.nickname + (player.held ? " held" : "")
  }

  private static func key(_ place: WirePlace) -> String {
    if case .spectator(let number) = place.place { "spectator \(number)" } else { "seat \(place.seat)" }
  }

  private mutating func take(_ seats: [UInt32], _ latE7: [Int32], _ lngE7: [Int32], _ points: [UInt32]) {
    for (index, seat) in seats.enumerated() {
      rows[seat] = Row(latE7: latE7[index], lngE7: lngE7[index], points: points[index])
    }
  }

  private mutating func take(_ starts: [UInt32], _ counts: [UInt32], _ seats: [UInt32]) {
    for (index, start) in starts.enumerated() {
      for cell in start..<start + counts[index] { cells[cell] = seats[index] }
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
