// The players of one shard who wait for the store to read what they can open: one read at a time for all of them, and
// not at once, since most of a read's cost is the way to the store and back.
//
// A value of the shard's places.
// Decisions: 111 (docs/decisions).
import Game
import Gateway
import Store

struct OpenableReads {
  /// A player's part of a read.
  struct Asked: Sendable {
    /// The connection, and the number of its watch.
    let token: UInt64
    let watch: Int
    let lookups: [CapsuleLookup]
  }

  /// A read ends behind the player whose lookups reach this number: other reads wait for the same connection.
  private static let lookupsMax = 512

  private var waiting: [Asked] = []
  /// A read is under way, or its timer is set.
  private var isDue = false
  /// Capsules that were hidden from everybody but their owners since the read began, which may have found them.
  private var hidden: [CapsuleID: PlayerID] = [:]

  mutating func add(_ asked: Asked) {
    waiting.append(asked)
  }

  /// Whether the timer of the next read is to be set now.
  mutating func becomesDue() -> Bool {
    guard !isDue, !waiting.isEmpty else { return false }
    isDue = true
    return true
  }

  /// Has the read under way pass a capsule over, for all but its owner.
  mutating func hide(_ id: CapsuleID, of owner: PlayerID) {
    if isDue { hidden[id] = owner }
  }

  func hides(_ id: CapsuleID, from session: Session) -> Bool {
    hidden[id].map { $0 != session.state.identity?.player } ?? false
  }

  /// The players of the read that begins now.
  mutating func begin() -> [Asked] {
    hidden = [:]
    var (count, lookups) = (0, 0)
    while count < waiting.count, lookups < Self.lookupsMax {
      lookups += waiting[count].lookups.count
      count += 1
    }
    defer { waiting.removeFirst(count) }
    return Array(waiting.prefix(count))
  }

  /// Notes that the read has ended, and its players are told.
  mutating func end() {
    isDue = false
    hidden = [:]
  }
}
