// The knowledge of one land room's bots about its lands: the rings of its state, and their holders.
//
// Belongs to its room.
import MadangProtocol

final class RoomLands {
  private unowned let context: WalkContext
  private let roomIndex: Int
  private(set) var rings: [LandRing] = []
  /// The seat that holds a land, by land.
  private(set) var holders: [String: UInt32] = [:]

  init(_ context: WalkContext, roomIndex: Int) {
    self.context = context
    self.roomIndex = roomIndex
  }

  /// Takes the state of the room from its first bot.
  func take(_ state: WireRoom) {
    if rings.isEmpty { rings = state.lands.compactMap(LandRing.init) }
  }

  /// A player has captured a land; every bot of the room is notified.
  func captured(_ land: String, by seat: UInt32) {
    let holder = holders[land] ?? seat
    if holder != seat { expect(false, "seats \(holder) and \(seat) have both captured \(land)") }
    holders[land] = seat
  }

  /// The game is over: points are the number of held lands.
  func ended(_ board: [WireBoardRow]) {
    for row in board {
      let held = holders.values.count { $0 == row.seat }
      expect(row.points == UInt32(held), "seat \(row.seat) has \(row.points) points for \(held) lands")
    }
  }

  func isFree(_ ring: LandRing) -> Bool { holders[ring.id] == nil }

  private func expect(_ isMet: Bool, _ example: @autoclosure () -> String) {
    context.results.expectations.note(.captured, isMet, "room \(roomIndex + 1): \(example())")
  }
}
