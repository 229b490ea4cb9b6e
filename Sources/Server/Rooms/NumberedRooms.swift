// The rooms of a shard by small numbers, which the timers of their ticks name: a list is looked at faster than a
// dictionary of codes.
//
// Owned by one shard's `Rooms`. A room keeps its number while it is on the shard; then another gets it. A change of a
// list in place would make each tick's look at it a checked access, so lists are taken out and put back.
// Decisions: 114 (docs/decisions).
import Net

final class NumberedRooms {
  private var rooms: ContiguousArray<LiveRoom?> = []
  private var hints: ContiguousArray<Hints> = []
  private var freeNumbers: [Int] = []
  /// The rooms that this turn has removed. A message or a tick that has closed its room goes on with it.
  private var removedRooms: [LiveRoom] = []
  /// The room whose memory was asked for last: the next one to tick, or the last of a slot of the timer wheel.
  private var hintedNumber = 0

  /// The memory that a room's tick looks at first.
  private struct Hints {
    var room = GroupHints()
    var reads = GroupHints()
  }

  /// Asks the processor for a room's memory.
  func giveHint(of number: Int) {
    hintedNumber = number
    hints[number].room.give()
    hints[number].reads.give()
  }

  /// The timer of a room's tick has fired.
  func tick(_ number: Int, on core: ShardCore) {
    // A room lives until the end of the turn, also when it is removed, so its references are not counted.
    rooms[number].map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { room in
      guard room.readMoves() else { return }
      // By now the list of the connections that wait in the next room has come into the caches.
      rooms[hintedNumber].map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef {
        core.giveReadHints(of: $0.readGroup)
      }
      room.tick()
    }
  }

  /// A number for a room.
  func take() -> Int {
    if let free = freeNumbers.popLast() { return free }
    change { rooms, hints in
      rooms.append(nil)
      hints.append(Hints())
    }
    return rooms.count - 1
  }

  func add(_ room: LiveRoom) {
    precondition(rooms[room.number] == nil, "a room has a number of its own")
    change { rooms, hints in
      rooms[room.number] = room
      hints[room.number] = Hints(room: room.ownHints, reads: room.readGroup.readHints)
    }
  }

  /// Gives back a number. Its room lives until the end of the turn.
  func remove(_ number: Int) {
    if let room = rooms[number] { removedRooms.append(room) }
    change { rooms, hints in
      rooms[number] = nil
      hints[number] = Hints()
    }
    freeNumbers.append(number)
  }

  /// The turn ends, and with it the use of removed rooms.
  func turnEnding() {
    if !removedRooms.isEmpty { removedRooms = [] }
  }

  private func change(_ body: (inout ContiguousArray<LiveRoom?>, inout ContiguousArray<Hints>) -> Void) {
    var (rooms, hints) = (self.rooms, self.hints)
    self.rooms = []
    self.hints = []
    body(&rooms, &hints)
    (self.rooms, self.hints) = (rooms, hints)
  }
}
