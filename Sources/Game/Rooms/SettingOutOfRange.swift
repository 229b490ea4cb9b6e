// The error for a setting that a room's rules do not allow.

/// A setting that is out of its range.
package struct SettingOutOfRange: Error, Hashable, Sendable {
  /// The setting, by its name on the wire: `capacity`, `durationS`, `tickHz`, `speedMaxMmS`, `landIds`, or one of the
  /// arena's.
  package let field: String
  /// The allowed values, in the wire's unit.
  package let range: ClosedRange<Int>

  package init(field: String, range: ClosedRange<Int>) {
    self.field = field
    self.range = range
  }

  static func check(_ value: Int, _ field: String, _ range: ClosedRange<Int>) throws(Self) -> Int {
    guard range.contains(value) else { throw Self(field: field, range: range) }
    return value
  }
}
