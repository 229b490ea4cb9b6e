// Rooms from before the start of the server, built again from their journals.
//
// At the start, on the starting thread; nothing else runs yet. A crash may have come between two commits that belong
// together: what they would have made sure of is made sure of here.
import Game
import MadangProtocol
import Net
import Store

/// A room from before the start.
struct RestoredRoom: Sendable {
  let id: RoomID
  let code: RoomCode
  let room: Room
  /// The number of the chunk that its journal goes on with.
  let nextChunk: UInt64
  /// Of whom its journal may tell where they have been.
  let visitors: Set<PlayerID>
  /// Its journal was written by other rules: what follows is by these.
  let hasOtherRules: Bool
  /// What came behind this moment is lost, or may be; nil when nothing is.
  let lostBehind: Instant?
  /// Members who are in another room by now.
  fileprivate(set) var leavers: [PlayerID] = []
  /// Players of whom it still shows something, or its journal may tell, and who have been deleted.
  fileprivate(set) var strangers: [PlayerID] = []

  init(_ stored: StoredRoom, _ recovery: RoomRecovery) {
    id = stored.row.id
    code = RoomCode(drawing: stored.row.code)
    nextChunk = recovery.nextChunk
    visitors = recovery.visitors
    hasOtherRules = recovery.rulesVersion != RulesVersion.current
    var room = recovery.room
    let lacksEnd = recovery.loss != nil || stored.mayLackEnd
    lostBehind = lacksEnd ? room.latest : nil
    if lacksEnd { room.skipLostNumbers(lastGame: stored.lastGame) }
    self.room = room
  }

  /// What its journal goes on with can't be applied to what is there: it needs a state of its own to begin with.
  var needsSnapshot: Bool { hasOtherRules || lostBehind != nil }

  /// Who is to be found in it.
  var members: [PlayerID] { room.members.map(\.id).filter { !leavers.contains($0) } }
}

/// What the store knew of living rooms, and of what else a server has in memory.
package struct Restoration: Sendable {
  var rooms: [RestoredRoom] = []
  /// When the server was last known to be alive; nil for a store without a past.
  private(set) var lastAliveAt: Instant?
  /// Connections' numbers go on behind this one, wherever the clock stands now.
  let lastConnection: UInt64
  let schools: SchoolCatalogue
  private(set) var tally = Tally()
  /// Players whose deletion a crash or an end has cut off.
  private(set) var unfinishedDeletions: [PlayerID] = []
  /// Some of the tally could not be read, or did not agree.
  private(set) var hasLostTaps = false
  /// Rooms that can't be built again, or not as they were last, each with the reason, for the operator.
  package private(set) var complaints: [String] = []

  /// Builds all rooms again.
  package init(from store: any Store) throws(StoreFailure) {
    let storedAt = try store.lastAliveAt
    lastConnection = try store.lastConnection
    schools = SchoolCatalogue(try store.schools())
    var rooms: [RestoredRoom] = []
    var complaints: [String] = []
    try store.liveRooms { stored in
      do throws(JournalFault) {
        guard let recovery = try RoomRecovery(from: stored.journal) else {
          complaints.append("room \(stored.row.id) has no journal to be built again from")
          return
        }
        if let loss = recovery.loss {
          complaints.append("room \(stored.row.id) has lost its last moments and goes on as it was before: \(loss)")
        } else if stored.mayLackEnd {
          complaints.append("room \(stored.row.id) may have lost its last moments, with a segment that can't be read")
        }
        rooms.append(RestoredRoom(stored, recovery))
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
    findLeavers()
    try findStrangers(in: store)
    unfinishedDeletions = try store.unfinishedDeletions
    try recoverTally(from: store)
  }

  /// Counts again what rows and segments tell of. Where a segment is damaged, what was tapped in it is lost.
  private mutating func recoverTally(from store: any Store) throws(StoreFailure) {
    let recovered = try store.recoverTally()
    tally = recovered.tally
    if recovered.unreadableSegments > 0 {
      complaints.append("\(recovered.unreadableSegments) segments of taps can't be read: what they had is lost")
    }
    if recovered.misfits > 0 {
      complaints.append("\(recovered.misfits) records of taps do not fit what is stored, and are left out")
    }
    let disagreements = tally.check()
    if let first = disagreements.first {
      complaints.append("\(disagreements.count) totals of taps were not their players' sums, and are now: \(first)")
      tally.correctTotals()
    }
    hasLostTaps = !recovered.isWhole || !disagreements.isEmpty
    // Records may have been about counts of any age; from now on nobody asks for old ones.
    tally.dropOldCounts()
    if tally.countDrops > 0 { FreedMemory.giveBack() }
  }

  /// Nobody is in two rooms. Who has left one, or ran out of the hold, and entered another was in both for the store when
  /// the second was committed first: on another shard. The one that they entered last is theirs.
  private mutating func findLeavers() {
    var newest: [PlayerID: (room: Int, enteredAt: Instant)] = [:]
    for index in rooms.indices {
      for (player, enteredAt) in rooms[index].room.entrances {
        guard let other = newest.updateValue((index, enteredAt), forKey: player) else { continue }
        let isNewer = other.enteredAt <= enteredAt
        if !isNewer { newest[player] = other }
        rooms[isNewer ? other.room : index].leavers.append(player)
      }
    }
  }

  /// Whatever somebody has said or done in a room while they were being deleted is in no room that goes on, nor in what its
  /// journal begins with. Guests whom it may tell of are kept as long as it is: nobody is a stranger who has only come by.
  private mutating func findStrangers(in store: any Store) throws(StoreFailure) {
    let shown = rooms.map { restored in
      var players = restored.visitors
      restored.room.forEachShown { players.insert($0) }
      return players.sorted()
    }
    let strangers = Set(try store.unknownPlayers(among: Set(shown.joined()).sorted()))
    guard !strangers.isEmpty else { return }
    for index in rooms.indices { rooms[index].strangers = shown[index].filter(strangers.contains) }
  }

  /// Until the year 2096; what is far beyond comes of damage.
  private static let plausible: ClosedRange<Int64> = 0...4_000_000_000_000

  package var roomCount: Int { rooms.count }

  /// The same in milliseconds since the Unix epoch; 0 for a store without a past.
  package var lastAliveMilliseconds: Int64 { lastAliveAt?.milliseconds ?? 0 }
}
