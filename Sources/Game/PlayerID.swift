// The identifier of a player, the same in every room, session and table. A plain value of 128 bits that any node can draw
// without asking another. It carries no meaning, and no rule may depend on its order but as the last tie-break.

/// A player.
package struct PlayerID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
