// A time without a connection, whose fixes the phone has kept. A value beside each seat: the end of a game waits for
// them.

/// The state of a player's newest time without a connection.
enum FixGap: Hashable, Sendable {
  /// The server has all fixes that it can get.
  case none
  /// The player has no connection.
  case open
  /// Fixes from before this time may still come: the player was connected again then, or has said that there are more.
  case waitsForFixes(since: Instant)

  /// Whether the end of a game waits for fixes. A player who has told none for a while has none.
  func isOpen(at end: Instant) -> Bool {
    switch self {
    case .none: false
    case .open: true
    case .waitsForFixes(let since): since > end - Deadlines.boardWait
    }
  }
}

// In a journal.
extension FixGap {
  func write(to state: inout RecordWriter) {
    switch self {
    case .none: state.bytes.byte(0)
    case .open: state.bytes.byte(1)
    case .waitsForFixes(let since):
      state.bytes.byte(2)
      state.past(since)
    }
  }

  init(from state: inout RecordReader) throws(JournalFault) {
    switch try state.bytes.byte() {
    case 0: self = .none
    case 1: self = .open
    case 2: self = .waitsForFixes(since: try state.past())
    default: throw state.fault(.impossible("gap"))
    }
  }
}
