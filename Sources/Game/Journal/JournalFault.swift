// The faults of a journal that is read back. A plain value: bytes from a disk are checked like bytes from a peer, and
// end in one of these faults, never in a trap.

/// The reason why a journal can't be read or replayed.
package struct JournalFault: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The journal ends in the middle of something.
    case truncated
    /// A chunk in a format that this build does not know.
    case unknownFormat
    /// The checksum is not that of the bytes.
    case damaged
    /// A value that no room can have.
    case impossible(String)
    /// Something is missing between this chunk and the one before it.
    case gap
    /// The journal has no state to begin with.
    case noBeginning
    /// The journal does not have the game's end.
    case noEnd
    /// A snapshot differs from the result of the inputs before it.
    case differs
  }

  package let reason: Reason
  /// The position, in bytes from the journal's beginning.
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
