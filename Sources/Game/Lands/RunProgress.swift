// Notifications of a player's own run around a land, for that player alone. Plain values.

/// The state of a player's run.
package enum RunState: Hashable, Sendable {
  /// The player has no run: no land that can be captured is near.
  case tooFar
  case running
  /// The player is too far from every vertex.
  case warned
  case captured
  /// The run was given up by the player, or ended because another holds the land now.
  case givenUp
}

/// A notification of a player's run.
package struct RunProgress: Hashable, Sendable {
  package var state: RunState
  /// The index of the land in the room; nil without a run.
  package var land: Int?
  /// The number of the land's visited vertices.
  package var visited: Int
  /// The duration of the run so far.
  package var time: Duration

  package init(_ state: RunState, land: Int? = nil, visited: Int = 0, time: Duration = .zero) {
    self.state = state
    self.land = land
    self.visited = visited
    self.time = time
  }
}
