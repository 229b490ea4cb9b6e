// The hints of a room's connections, so that a tick need not wait for the objects of each of them in turn.
//
// A value beside the room's attendees, by the same indices.
// Decisions: 145 (docs/decisions).
import Net

struct AttendeeHints {
  private var hints: ContiguousArray<ConnectionHints> = []

  /// The same with the hints of another attendee there; with none where the attendee has left.
  func with(_ new: ConnectionHints?, at index: Int) -> AttendeeHints {
    var copy = self
    while copy.hints.count <= index { copy.hints.append(ConnectionHints()) }
    copy.hints[index] = new ?? ConnectionHints()
    return copy
  }

  /// Asks for the memory of all.
  func give() {
    // By index: a walk through the array would count a reference to it.
    for index in hints.indices { hints[index].give() }
  }
}
