// How many connections are to have been begun by when: so many a second, evenly.
//
// A value.

package struct ConnectPace: Sendable {
  /// How often the next ones are begun.
  package static let stepMilliseconds: Int64 = 10

  let connections: Int
  let perSecond: Int

  package init(connections: Int, perSecond: Int) {
    self.connections = connections
    self.perSecond = perSecond
  }

  /// How many are due `microseconds` after the start; the first step's at once.
  package func due(afterMicroseconds microseconds: Int64) -> Int {
    let steps = microseconds / (Self.stepMilliseconds * 1_000) + 1
    return Int(min(Int64(connections), (steps * Int64(perSecond) * Self.stepMilliseconds + 999) / 1_000))
  }

  /// When the last one is begun, rounded up.
  package var seconds: Int { (connections + perSecond - 1) / perSecond }
}
