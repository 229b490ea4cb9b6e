// The number of pings and pongs that a peer has sent in a second.
//
// A value of one connection; it moves between shards with it.

struct ControlFramePace: Sendable {
  private var count = 0
  private var secondBegan: Timestamp

  init(at now: Timestamp) {
    secondBegan = now
  }

  /// Counts one more; false when it is one too many.
  mutating func admit(at now: Timestamp, perSecondMax: Int) -> Bool {
    if now >= secondBegan.advanced(seconds: 1) {
      secondBegan = now
      count = 0
    }
    count += 1
    return count <= perSecondMax
  }
}
