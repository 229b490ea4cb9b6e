// The part of a plan that only `places` has.
//
// A value.

struct PlacePlan: Sendable {
  /// The side of the square in which the bots walk; metres.
  let squareM: Double
  let watches: Bool
}
