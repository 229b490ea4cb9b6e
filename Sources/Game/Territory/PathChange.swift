// Notifications of a player's own path, for that player alone: others see the cells. Plain values.

/// A notification of a player's path.
package enum PathChange: Hashable, Sendable {
  /// The path begins at the player's position.
  case opened
  /// The path has closed, and this area in square metres is newly the player's. It may be zero: the enclosed cells were
  /// theirs already, or it is empty, for no cell's middle was enclosed.
  case closed(areaM2: UInt32, isEmpty: Bool = false)
  /// The path has gone around this area in square metres, which is too small to be taken. The path goes on.
  case tooSmallLoop(areaM2: UInt32)
  /// The path has come around to its start, around this area in square metres, and was never far enough away from it to
  /// close there. The path goes on.
  case neverAwayLoop(areaM2: UInt32)
  case dropped(PathEnd)
}

/// The reason why a path ended without closing.
package enum PathEnd: Hashable, Sendable {
  /// The player left the arena.
  case outsideArena
  /// The path was open for 10 minutes.
  case tooLong
  /// An opponent crossed the path.
  case cut
  /// The player's fixes are not believed: they are suspect, or have just jumped.
  case disbelieved
  /// The player came back to their land with too little enclosed.
  case tooSmall
}
