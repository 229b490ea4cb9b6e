// The identifiers of practice opponents. Pure. A server draws players' identifiers from 128 random bits and meets none
// of these; no message and no row of a table has one.

extension PlayerID {
  /// The identifiers below the greatest number: as many as a room has seats at most, and more.
  private static let walkerCount: UInt128 = 256

  /// The practice opponent in a seat.
  static func walker(inSeat seat: Int) -> PlayerID {
    precondition((0..<Int(walkerCount)).contains(seat), "a room has fewer seats than there are walkers")
    return PlayerID(.max - 1 - UInt128(seat))
  }

  /// Whether the server itself walks for this player.
  package var isWalker: Bool { value < .max && value >= .max - Self.walkerCount }
}
