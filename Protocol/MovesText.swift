// Decodes the JSON of `moves`, the longest message of a phone, by hand.
//
// It understands only the plain form and leaves all others to the general decoder: each of its results is also the
// general decoder's.
// Decisions: 028 (docs/decisions).

extension WireClientMessage {
  /// Decodes a client's message in JSON if it is a `moves` in plain form.
  ///
  /// Nil for any other message and any unusual form, well-formed or not. Unusual are unknown or repeated fields,
  /// escapes, fractions, exponents and the schema's own names (`lat_e7`).
  /// - Parameter bytes: one whole WebSocket message.
  package init?(plainMoves bytes: UnsafeRawBufferPointer) {
    var id: UInt32?
    var moves: WireMoves?
    var cursor = JSONCursor(bytes)
    while let key = cursor.nextKey() {
      if key.is("moves") {
        guard moves == nil, let body = WireMoves(plain: &cursor) else { return nil }
        moves = body
      } else if key.is("id") {
        guard id == nil, let value = cursor.takeInteger().flatMap(UInt32.init(exactly:)) else { return nil }
        id = value
      } else {
        return nil
      }
    }
    guard let moves, cursor.isPastObject, cursor.isAtEnd else { return nil }
    self.init()
    if let id { self.id = id }
    self.moves = moves
  }
}

extension WireMoves {
  private struct Fields: OptionSet {
    let rawValue: UInt8
    static let timeMs = Fields(rawValue: 1)
    static let afterMs = Fields(rawValue: 2)
    static let latE7 = Fields(rawValue: 4)
    static let lngE7 = Fields(rawValue: 8)
    static let accuracyM = Fields(rawValue: 16)
    static let mocked = Fields(rawValue: 32)
    static let more = Fields(rawValue: 64)
  }

  /// Takes the object at the cursor; nil for any unusual form.
  fileprivate init?(plain cursor: inout JSONCursor) {
    self.init()
    var found: Fields = []
    var body = cursor.nested
    while let key = body.nextKey() {
      if key.is("timeMs") {
        guard found.insert(.timeMs).inserted, let value = body.takeInteger() else { return nil }
        timeMs = value
      } else if key.is("afterMs") {
        guard found.insert(.afterMs).inserted, let column = body.takeIntegers(UInt32.self) else { return nil }
        afterMs = column
      } else if key.is("latE7") {
        guard found.insert(.latE7).inserted, let column = body.takeIntegers(Int32.self) else { return nil }
        latE7 = column
      } else if key.is("lngE7") {
        guard found.insert(.lngE7).inserted, let column = body.takeIntegers(Int32.self) else { return nil }
        lngE7 = column
      } else if key.is("accuracyM") {
        guard found.insert(.accuracyM).inserted, let column = body.takeIntegers(UInt32.self) else { return nil }
        accuracyM = column
      } else if key.is("mocked") {
        guard found.insert(.mocked).inserted, let value = body.takeBoolean() else { return nil }
        mocked = value
      } else if key.is("more") {
        guard found.insert(.more).inserted, let value = body.takeBoolean() else { return nil }
        more = value
      } else {
        return nil
      }
    }
    guard body.isPastObject else { return nil }
    cursor.resume(after: body)
  }
}
