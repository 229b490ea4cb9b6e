// Decodes `move`, the most frequent message, by hand.
//
// A plain value of a few words. Decoding allocates nothing and takes a fraction of the general decoder's time. It
// understands only the plain forms and leaves all others to the general decoder: each of its results is also the
// general decoder's.
// Decisions: 028 (docs/decisions).

/// One fix of a player's position, as in a `move`. The only check is that the numbers fit their fields.
public struct MoveFix: Hashable, Sendable {
  /// The request's `id`: present when the sender wants an answer.
  public var id: UInt32?
  /// Latitude, 1e-7 degree.
  public var latE7: Int32
  /// Longitude, 1e-7 degree.
  public var lngE7: Int32
  /// Metres; nil when unknown.
  public var accuracyM: UInt32?
  /// The time of the fix, milliseconds of the server's clock; nil for the time of arrival.
  public var timeMs: Int64?
  /// Whether the phone itself says that the fix is not from its receiver.
  public var mocked: Bool

  /// A fix with the given values only.
  public init(
    id: UInt32? = nil,
    latE7: Int32,
    lngE7: Int32,
    accuracyM: UInt32? = nil,
    timeMs: Int64? = nil,
    mocked: Bool = false
  ) {
    self.id = id
    self.latE7 = latE7
    self.lngE7 = lngE7
    self.accuracyM = accuracyM
    self.timeMs = timeMs
    self.mocked = mocked
  }
}

extension Subprotocol {
  /// Decodes a client's message if it is a `move` in plain form.
  ///
  /// - Parameter bytes: one whole WebSocket message.
  /// - Returns: nil for any other message and any unusual form, well-formed or not; `decodeClientMessage` then decides.
  ///   Unusual are a fix without latitude or longitude, unknown or repeated fields, and in JSON escapes, fractions,
  ///   exponents and the schema's own names (`lat_e7`).
  public func decodeMove(_ bytes: UnsafeRawBufferPointer) -> MoveFix? {
    var reader = MoveReader()
    switch self {
    case .json: guard reader.readJSON(bytes) else { return nil }
    case .proto: guard reader.readBinary(bytes) else { return nil }
    }
    return reader.fix
  }
}

/// The first byte of each field in the binary encoding: its number and wire type.
private enum Tag {
  static let id: UInt8 = 1 << 3 | 0
  static let move: UInt8 = 10 << 3 | 2
  static let latE7: UInt8 = 1 << 3 | 5
  static let lngE7: UInt8 = 2 << 3 | 5
  static let accuracyM: UInt8 = 3 << 3 | 0
  static let timeMs: UInt8 = 4 << 3 | 0
  static let mocked: UInt8 = 5 << 3 | 0
}

/// A partly read `move`. Each `read` reports whether the bytes are in plain form.
private struct MoveReader {
  private var move = MoveFix(latE7: 0, lngE7: 0)
  private var found: Fields = []

  private struct Fields: OptionSet {
    let rawValue: UInt8
    static let id = Fields(rawValue: 1)
    static let move = Fields(rawValue: 2)
    static let latE7 = Fields(rawValue: 4)
    static let lngE7 = Fields(rawValue: 8)
    static let accuracyM = Fields(rawValue: 16)
    static let timeMs = Fields(rawValue: 32)
    static let mocked = Fields(rawValue: 64)
  }

  /// The fix; nil without a place.
  var fix: MoveFix? { found.isSuperset(of: [.latE7, .lngE7]) ? move : nil }

  /// Notes a field; false when it was noted before.
  private mutating func isFirst(_ field: Fields) -> Bool { found.insert(field).inserted }

  mutating func readJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var cursor = JSONCursor(bytes)
    while let key = cursor.nextKey() {
      if key.is("move") {
        guard isFirst(.move), readBody(&cursor) else { return false }
      } else if key.is("id") {
        guard isFirst(.id), let value = cursor.takeInteger().flatMap(UInt32.init(exactly:)) else { return false }
        move.id = value
      } else {
        return false
      }
    }
    return cursor.isPastObject && cursor.isAtEnd
  }

  private mutating func readBody(_ cursor: inout JSONCursor) -> Bool {
    var body = cursor.nested
    while let key = body.nextKey() {
      if key.is("latE7") {
        guard isFirst(.latE7), let value = body.takeInteger().flatMap(Int32.init(exactly:)) else { return false }
        move.latE7 = value
      } else if key.is("lngE7") {
        guard isFirst(.lngE7), let value = body.takeInteger().flatMap(Int32.init(exactly:)) else { return false }
        move.lngE7 = value
      } else if key.is("accuracyM") {
        guard isFirst(.accuracyM), let value = body.takeInteger().flatMap(UInt32.init(exactly:)) else { return false }
        move.accuracyM = value
      } else if key.is("timeMs") {
        guard isFirst(.timeMs), let value = body.takeInteger() else { return false }
        move.timeMs = value
      } else if key.is("mocked") {
        guard isFirst(.mocked), let value = body.takeBoolean() else { return false }
        move.mocked = value
      } else {
        return false
      }
    }
    guard body.isPastObject else { return false }
    cursor.resume(after: body)
    return true
  }

  mutating func readBinary(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var cursor = BinaryCursor(bytes)
    while let tag = cursor.takeByte() {
      switch tag {
      case Tag.id:
        guard isFirst(.id), let value = cursor.takeVarint().flatMap(UInt32.init(exactly:)) else { return false }
        move.id = value
      case Tag.move:
        guard isFirst(.move), let body = cursor.takeBytes(), readBinaryBody(body) else { return false }
      default:
        return false
      }
    }
    return true
  }

  private mutating func readBinaryBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var cursor = BinaryCursor(bytes)
    while let tag = cursor.takeByte() {
      switch tag {
      case Tag.latE7:
        guard isFirst(.latE7), let value = cursor.takeFixed32() else { return false }
        move.latE7 = value
      case Tag.lngE7:
        guard isFirst(.lngE7), let value = cursor.takeFixed32() else { return false }
        move.lngE7 = value
      case Tag.accuracyM:
        guard isFirst(.accuracyM), let value = cursor.takeVarint().flatMap(UInt32.init(exactly:)) else { return false }
        move.accuracyM = value
      case Tag.timeMs:
        guard isFirst(.timeMs), let value = cursor.takeVarint() else { return false }
        move.timeMs = Int64(bitPattern: value)
      case Tag.mocked:
        guard isFirst(.mocked), let value = cursor.takeVarint(), value <= 1 else { return false }
        move.mocked = value == 1
      default:
        return false
      }
    }
    return true
  }
}
