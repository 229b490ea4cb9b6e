// The identifier of a player, the same in every room, session and table. A plain value of 128 bits that any node can
// draw by itself. It carries no meaning, and rules may use its order only as the last tie-break.

/// The identifier of a player.
package struct PlayerID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
