// The schedule of a room's snapshots in its journal, and the players in the journal since the newest one. It lies
// beside the journal of one room, as an object: each position counts in it, which must be no checked access.
//
// A snapshot has everything that the room shows, texts too. It is written in proportion to players' inputs, never for
// one input alone.
// Decisions: 114 (docs/decisions).
import Game

/// A schedule's values, which go along with a room to another shard.
struct SnapshotCounts: Sendable {
  let visitors: Set<PlayerID>
  let newcomers: Int
  let inputs: Int
  let inputBytes: Int
}

final class SnapshotSchedule {
  /// The players of the newest snapshot, and later arrivals: recovery's part of the journal may contain their
  /// positions.
  private(set) var visitors: Set<PlayerID>
  private var newcomers = 0
  private var inputs = 0
  /// The bytes of inputs in taken chunks; negative for the bytes before the snapshot in its chunk.
  private var inputBytes = 0

  private static let inputsMax = 65_536
  /// The bytes of inputs that recovery applies at most, or slightly more.
  private static let inputBytesMax = 1 << 20
  private static let newcomersMax = 1_024

  /// The journal of a new room.
  init() {
    visitors = []
  }

  /// A journal that continues after inputs of which only the visitors are known.
  init(restoredWith visitors: Set<PlayerID>) {
    self.visitors = visitors
    inputBytes = Self.inputBytesMax / 2
  }

  /// The journal of a room that has come from another shard.
  init(_ counts: SnapshotCounts) {
    (visitors, newcomers, inputs, inputBytes) = (counts.visitors, counts.newcomers, counts.inputs, counts.inputBytes)
  }

  var counts: SnapshotCounts {
    SnapshotCounts(visitors: visitors, newcomers: newcomers, inputs: inputs, inputBytes: inputBytes)
  }

  /// Counts a gathered input. Returns whether a snapshot is due: recovery would have too much to apply.
  func noteInput() -> Bool {
    inputs += 1
    return inputs >= Self.inputsMax
  }

  /// Notes a player who has taken a place.
  func note(visitor: PlayerID) {
    guard visitors.insert(visitor).inserted else { return }
    newcomers += 1
    if newcomers >= Self.newcomersMax { inputs = Self.inputsMax }
  }

  /// Counts the bytes of inputs in a taken chunk.
  func take(_ bytes: Int) {
    inputBytes += bytes
    if inputBytes >= Self.inputBytesMax { inputs = Self.inputsMax }
  }

  /// Whether inputs after the newest snapshot, with those gathered, have at least the bytes of a new snapshot.
  func allows(snapshotOf bytes: Int, gathered: Int) -> Bool {
    inputBytes + gathered >= bytes
  }

  /// Begins anew after a snapshot that follows this many gathered bytes.
  func begin(with room: Room, gathered: Int) {
    inputs = 0
    newcomers = 0
    inputBytes = -gathered
    visitors.removeAll()
    room.forEachShown { visitors.insert($0) }
  }
}
