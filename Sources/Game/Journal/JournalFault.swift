// What can be wrong with a journal that is read back. A plain value: bytes from a disk are judged like bytes from a peer, and
// end as one of these, never as a trap.

/// Why a journal can't be read, or not be played again.
package struct JournalFault: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// It ends in the middle of something.
    case truncated
    /// A chunk in a format that this build does not know.
    case unknownFormat
    /// The checksum is not that of the bytes.
    case damaged
    /// A value that no room can have.
    case impossible(String)
    /// Between this chunk and the one before it something is missing.
    case gap
    /// There is no state to begin with.
    case noBeginning
    /// The game's end is not in it.
    case noEnd
    /// A snapshot is not the state that the inputs before it lead to.
    case differs
  }

  package let reason: Reason
  /// Where, in bytes from the journal's beginning.
  package let position: Int

  package init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }

  package var description: String {
    let what =
      switch reason {
      case .truncated: "the journal breaks off"
      case .unknownFormat: "a format of another version"
      case .damaged: "the checksum is wrong"
      case .impossible(let what): "an impossible \(what)"
      case .gap: "something is missing"
      case .noBeginning: "no state to begin with"
      case .noEnd: "the game's end is missing"
      case .differs: "a snapshot differs from what the inputs lead to"
      }
    return "\(what), at byte \(position)"
  }
}
