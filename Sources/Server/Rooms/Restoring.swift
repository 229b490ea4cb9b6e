// Rooms from before the start of the server, rebuilt from their journals.
//
// At the start, on the starting thread; nothing else runs yet. A crash may have come between two commits that belong
// together: the effect of the missing one is restored here.
import Game
import MadangProtocol
import Net
import Store

/// A room from before the start.
struct RestoredRoom: Sendable {
  let id: RoomID
  let code: RoomCode
  let room: Room
  /// The number of the next chunk of its journal.
  let nextChunk: UInt64
  /// The players whose positions its journal may contain.
  let visitors: Set<PlayerID>
  /// Its journal was written by other rules: its later records follow these.
  let hasOtherRules: Bool
  /// The moment after which records are lost, or may be; nil when none are.
  let lostBehind: Instant?
  /// Members who are in another room by now.
  fileprivate(set) var leavers: [PlayerID] = []
  /// Deleted players who are still shown in it, or whom its journal may contain.
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

  /// Later records can't be applied to the existing journal: it needs a snapshot to begin with.
  var needsSnapshot: Bool { hasOtherRules || lostBehind != nil }

  /// The players in it.
  var members: [PlayerID] { room.members.map(\.id).filter { !leavers.contains($0) } }
}

/// The stored state of living rooms, and of everything else that a server keeps in memory.
package struct Restoration: Sendable {
  var rooms: [RestoredRoom] = []
  /// The last known time of a running server; nil for a store without a past.
  private(set) var lastAliveAt: Instant?
  /// The last number of a connection; new ones are higher, even if the clock went back.
  let lastConnection: UInt64
  let schools: SchoolCatalogue
  /// The operators' fences.
  let fences: [Fence]
  /// The targets of webhooks.
  let webhooks: [WebhookRow]
  private(set) var tally = Tally()
  /// Players whose deletion a crash or shutdown interrupted.
  private(set) var unfinishedDeletions: [PlayerID] = []
  /// Some of the tally could not be read, or was inconsistent.
  private(set) var hasLostTaps = false
  /// Rooms that can't be rebuilt, or not in their last state, each with the reason, for the operator.
  package private(set) var complaints: [String] = []

  /// Rebuilds all rooms.
  package init(from store: any Store) throws(StoreFailure) {
    let storedAt = try store.lastAliveAt
    lastConnection = try store.lastConnection
    schools = SchoolCatalogue(try store.schools())
    var rooms: [RestoredRoom] = []
    var complaints: [String] = []
    var fences: [Fence] = []
    try store.fences { stored in
      do throws(JournalFault) {
        fences.append(try Fence(encoded: stored.bytes))
      } catch {
        complaints.append("fence \(stored.id) can't be read: \(error)")
      }
    }
    self.fences = fences
    webhooks = try store.webhooks()
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
    // No room's time may go back, even if the store has an earlier one.
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

  /// Recovers the tally from rows and segments. The taps in a damaged segment are lost.
  private mutating func recoverTally(from store: any Store) throws(StoreFailure) {
    let recovered = try store.recoverTally()
    tally = recovered.tally
    if recovered.unreadableSegments > 0 {
      complaints.append("\(recovered.unreadableSegments) segments of taps can't be read: what they had is lost")
    }
    if recovered.mismatches > 0 {
      complaints.append("\(recovered.mismatches) records of taps do not fit what is stored, and are left out")
    }
    let disagreements = tally.check()
    if let first = disagreements.first {
      complaints.append("\(disagreements.count) totals of taps were not their players' sums, and are now: \(first)")
      tally.correctTotals()
    }
    hasLostTaps = !recovered.isWhole || !disagreements.isEmpty
    // Records may have been about counts of any age; from now on nobody needs old ones.
    tally.dropOldCounts()
    if tally.countDrops > 0 { FreedMemory.giveBack() }
  }

  /// Assigns each player to one room. A player may have left a room, or lost their hold, and entered another on another
  /// shard. If the entrance was committed first, the store has them in both. The room of the latest entrance is theirs.
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

  /// Finds deleted players in rooms. Their later acts in a room must not stay in it, nor in the beginning of its
  /// journal. Guests whom a room may contain are stored as long as the room: a mere visitor is no stranger.
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

  /// Until the year 2096; times far beyond come from damage.
  private static let plausible: ClosedRange<Int64> = 0...4_000_000_000_000

  package var roomCount: Int { rooms.count }

  /// The last known time of a running server, in milliseconds since the Unix epoch; 0 for a store without a past.
  package var lastAliveMilliseconds: Int64 { lastAliveAt?.milliseconds ?? 0 }
}
