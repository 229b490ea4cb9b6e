// What becomes of a player's own path, told to them alone: others see the cells. Plain values.

/// News of a player's path.
package enum PathNews: Hashable, Sendable {
  /// It begins where the player is now.
  case opened
  /// It has closed, and so many square metres are the player's that were not before. It may be none: what it encloses was
  /// theirs already, or holds the middle of no cell.
  case closed(areaM2: UInt32)
  case dropped(PathEnd)
}

/// Why a path ended without having closed.
package enum PathEnd: Hashable, Sendable {
  /// The player left the arena.
  case outsideArena
  /// It was open for 10 minutes.
  case tooLong
  /// An opponent crossed it.
  case cut
  /// The player's fixes are not believed: they are suspect, or have just jumped.
  case disbelieved
  /// The player came back to their land with too little between.
  case tooSmall
}
