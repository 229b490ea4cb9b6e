// When a room's whole state is written to its journal again, and of whom the journal tells since. A value beside the journal of
// one room.
//
// A snapshot has all that the room shows, texts too: it is written in proportion to what players have sent, never for an
// input alone.
import Game

struct SnapshotSchedule {
  /// Who was in the newest snapshot, or has come in since: recovery's part of the journal may tell where they have been.
  private(set) var visitors: Set<PlayerID>
  private var newcomers = 0
  private var inputs = 0
  /// Of inputs in chunks that were taken; negative for what lies before the snapshot in its chunk.
  private var inputBytes = 0

  private static let inputsMax = 65_536
  /// Of inputs that recovery has to apply at most, or a little more.
  private static let inputBytesMax = 1 << 20
  private static let newcomersMax = 1_024

  /// The journal of a new room.
  init() {
    visitors = []
  }

  /// A journal that goes on behind inputs of which only is known who they let in.
  init(restoredWith visitors: Set<PlayerID>) {
    self.visitors = visitors
    inputBytes = Self.inputBytesMax / 2
  }

  /// An input was gathered.
  mutating func noteInput() {
    inputs += 1
  }

  /// Someone has taken a place.
  mutating func note(visitor: PlayerID) {
    guard visitors.insert(visitor).inserted else { return }
    newcomers += 1
    if newcomers >= Self.newcomersMax { inputs = Self.inputsMax }
  }

  /// A chunk was taken that has so many bytes of inputs.
  mutating func take(_ bytes: Int) {
    inputBytes += bytes
    if inputBytes >= Self.inputBytesMax { inputs = Self.inputsMax }
  }

  /// Recovery would have too much to apply.
  var isDue: Bool { inputs >= Self.inputsMax }

  /// At least as many bytes of inputs lie behind the newest snapshot as a new one would have, with those gathered.
  func allows(snapshotOf bytes: Int, gathered: Int) -> Bool {
    inputBytes + gathered >= bytes
  }

  /// A snapshot was written behind so many gathered bytes.
  mutating func begin(with room: Room, gathered: Int) {
    inputs = 0
    newcomers = 0
    inputBytes = -gathered
    visitors.removeAll()
    room.forEachShown { visitors.insert($0) }
  }
}
