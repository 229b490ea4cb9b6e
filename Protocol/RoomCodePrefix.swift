// The first symbols of a room's code, for a search with a partly known code.
//
// A value. It is not a code: nothing checks it.

/// The beginning of a `RoomCode`.
public struct RoomCodePrefix: Hashable, Sendable {
  private let values: UInt64
  private let count: Int

  /// Reads the typed beginning of a code, by the rules of `RoomCode`.
  ///
  /// - Returns: nil when there is no symbol or more than ten, or an invalid one.
  public init?(_ text: String) {
    var values: UInt64 = 0
    var count = 0
    for byte in text.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: " ") {
      guard count < RoomCode.symbolCount, let value = RoomCode.value(of: byte) else { return nil }
      values = values << 5 | value
      count += 1
    }
    guard count > 0 else { return nil }
    self.values = values
    self.count = count
  }

  /// Whether a code begins with these symbols.
  public func matches(_ code: RoomCode) -> Bool {
    code.values >> UInt64(5 * (RoomCode.symbolCount - count)) == values
  }
}
