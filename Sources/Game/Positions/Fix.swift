// A fix of a position as a phone sent it. A plain value: a fix is untrusted until `FixFilter` has judged it.

/// A place on Earth, in units of 1e-7 degree.
package struct Coordinate: Hashable, Sendable {
  /// Latitude, north positive.
  package var latE7: Int32
  /// Longitude, east positive.
  package var lngE7: Int32

  package init(latE7: Int32, lngE7: Int32) {
    self.latE7 = latE7
    self.lngE7 = lngE7
  }
}

/// A fix of a player's position, as their phone claims it.
package struct Fix: Hashable, Sendable {
  /// Latitude in 1e-7 degree; any value.
  package var latE7: Int32
  /// Longitude in 1e-7 degree; any value.
  package var lngE7: Int32
  /// Metres; nil when unknown.
  package var accuracyM: UInt32?
  /// The time of the fix on the server's clock; nil for the time of arrival. Any value.
  package var time: Instant?
  /// Whether the phone itself says that the fix is not from its receiver.
  package var mocked: Bool

  package init(latE7: Int32, lngE7: Int32, accuracyM: UInt32? = nil, time: Instant? = nil, mocked: Bool = false) {
    self.latE7 = latE7
    self.lngE7 = lngE7
    self.accuracyM = accuracyM
    self.time = time
    self.mocked = mocked
  }

  var coordinate: Coordinate {
    Coordinate(latE7: latE7, lngE7: lngE7)
  }
}
