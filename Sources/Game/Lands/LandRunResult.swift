// A record of a land, as the rules report it.

/// A solo run that has captured its land: the player's record there.
package struct LandRunResult: Hashable, Sendable {
  package var player: PlayerID
  package var land: LandID
  package var time: Duration

  package init(player: PlayerID, land: LandID, time: Duration) {
    self.player = player
    self.land = land
    self.time = time
  }
}
