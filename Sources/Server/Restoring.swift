// Rooms from before the start of the server, built again from their journals.
//
// At the start, on the starting thread; nothing else runs yet.
import Game
import MadangProtocol
import Store

/// A room from before the start.
struct RestoredRoom: Sendable {
  let id: RoomID
  let code: RoomCode
  let room: Room
  /// Its journal was written by other rules: what follows is by these.
  let hasOtherRules: Bool
}

/// What the store knew of living rooms.
package struct Restoration: Sendable {
  var rooms: [RestoredRoom] = []
  /// When the server was last known to be alive; nil for a store without a past.
  private(set) var lastAliveAt: Instant?
  /// Rooms that can't be built again, each with the reason, for the operator.
  package private(set) var complaints: [String] = []

  /// Builds all rooms again.
  package init(from store: any Store) throws(StoreFailure) {
    let storedAt = try store.lastAliveAt
    var rooms: [RestoredRoom] = []
    var complaints: [String] = []
    try store.liveRooms { stored in
      do throws(JournalFault) {
        guard let recovery = try RoomRecovery(from: stored.journal) else {
          complaints.append("room \(stored.row.id) has no journal to be built again from")
          return
        }
        let room = RestoredRoom(
          id: stored.row.id,
          code: RoomCode(drawing: stored.row.code),
          room: recovery.room,
          hasOtherRules: recovery.rulesVersion != RulesVersion.current
        )
        rooms.append(room)
      } catch {
        complaints.append("room \(stored.row.id) can't be built again: \(error)")
      }
    }
    self.rooms = rooms
    // No room's time may go back, whatever the store says.
    lastAliveAt = rooms.map(\.room.latest).reduce(storedAt) { max($0 ?? $1, $1) }
    if let latest = lastAliveAt, !Self.plausible.contains(latest.milliseconds) {
      complaints.append("the store says that it was written at \(latest.milliseconds) ms: its rooms are left alone")
      lastAliveAt = nil
      self.rooms = []
    }
    self.complaints = complaints
  }

  /// Until the year 2096; what is far beyond comes of damage.
  private static let plausible: ClosedRange<Int64> = 0...4_000_000_000_000

  package var roomCount: Int { rooms.count }

  /// The same in milliseconds since the Unix epoch; 0 for a store without a past.
  package var lastAliveMilliseconds: Int64 { lastAliveAt?.milliseconds ?? 0 }
}
