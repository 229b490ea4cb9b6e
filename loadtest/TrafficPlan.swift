// The part of a plan that only `traffic` has.
//
// A value.

struct TrafficPlan: Sendable {
  /// The side of the square in which the players stroll; metres.
  let squareM: Double
  /// The pace that each player asks for; nil for none.
  let maxHz: UInt32?
}
