// What becomes of a player's own run around a land, told to them alone. Plain values.

/// What a player's run is doing.
package enum RunState: Hashable, Sendable {
  /// There is none: no land that can be captured is near.
  case tooFar
  case running
  /// The player is too far from every vertex.
  case warned
  case captured
  /// Given up: by the player, or because another holds the land now.
  case givenUp
}

/// News of a player's run.
package struct RunNews: Hashable, Sendable {
  package var state: RunState
  /// Which of the room's lands; nil where there is no run.
  package var land: Int?
  /// How many of the land's vertices are visited.
  package var visited: Int
  /// How long the run has taken.
  package var time: Duration

  package init(_ state: RunState, land: Int? = nil, visited: Int = 0, time: Duration = .zero) {
    self.state = state
    self.land = land
    self.visited = visited
    self.time = time
  }
}
