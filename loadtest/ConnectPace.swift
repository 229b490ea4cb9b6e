// The number of connections that are due to be begun: so many a second, evenly.
//
// A value.

package struct ConnectPace: Sendable {
  /// The interval at which the next ones are begun.
  package static let stepMilliseconds: Int64 = 10

  let connections: Int
  let perSecond: Int

  package init(connections: Int, perSecond: Int) {
    self.connections = connections
    self.perSecond = perSecond
  }

  /// The number due `microseconds` after the start; those of the first step at once.
  package func due(afterMicroseconds microseconds: Int64) -> Int {
    let steps = microseconds / (Self.stepMilliseconds * 1_000) + 1
    return Int(min(Int64(connections), (steps * Int64(perSecond) * Self.stepMilliseconds + 999) / 1_000))
  }

  /// The time at which the last one is begun, rounded up.
  package var seconds: Int { (connections + perSecond - 1) / perSecond }
}
