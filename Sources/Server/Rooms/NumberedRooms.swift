// The rooms of a shard by small numbers, which the timers of their ticks name: a list is looked at faster than a
// dictionary of codes.
//
// A value of one shard's `Rooms`. A room keeps its number while it is on the shard; then another gets it.
import Net

struct NumberedRooms {
  private var rooms: ContiguousArray<LiveRoom?> = []
  private var hints: ContiguousArray<MemoryHint> = []
  private var freeNumbers: [Int] = []

  subscript(number: Int) -> LiveRoom? { rooms[number] }

  /// A number for a room.
  mutating func take() -> Int {
    if let free = freeNumbers.popLast() { return free }
    rooms.append(nil)
    hints.append(MemoryHint())
    return rooms.count - 1
  }

  mutating func add(_ room: LiveRoom) {
    precondition(rooms[room.number] == nil, "a room has a number of its own")
    rooms[room.number] = room
    hints[room.number] = room.hint
  }

  /// Gives back a number.
  mutating func remove(_ number: Int) {
    rooms[number] = nil
    hints[number] = MemoryHint()
    freeNumbers.append(number)
  }

  /// Asks the processor for a room's memory.
  func giveHint(of number: Int) { hints[number].give() }
}
