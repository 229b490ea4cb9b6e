// Fields of a binary message, appended to a buffer as swift-protobuf writes them: minimal varints, no zeros, no empty
// columns.
//
// Appends only. A message's length stands before it, so sizes are calculated first; each size here is exactly that of
// the `append` of the same name in the same form.

/// The layout of a field's value (protobuf.dev, "Encoding").
enum WireType: UInt8 {
  case varint = 0
  case lengthDelimited = 2
}

extension [UInt8] {
  /// Appends a field's number (1 to 15) and wire type.
  mutating func append(tag field: UInt8, _ type: WireType) {
    append(field << 3 | type.rawValue)
  }

  /// Appends a field's number (16 or more) and wire type.
  mutating func append(longTag field: UInt32, _ type: WireType) {
    append(varint: field << 3 | UInt32(type.rawValue))
  }

  /// Appends 7 bits a byte, the lowest first, the top bit set on all but the last.
  mutating func append(varint value: some UnsignedInteger & FixedWidthInteger) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends a number that proto3 leaves out when it is 0.
  mutating func append(field: UInt8, skippingZero value: UInt32) {
    guard value != 0 else { return }
    append(tag: field, .varint)
    append(varint: value)
  }

  /// Appends an embedded message that is encoded already.
  mutating func append(field: UInt8, message: [UInt8]) {
    append(tag: field, .lengthDelimited)
    append(varint: UInt32(message.count))
    append(contentsOf: message)
  }

  /// Appends a `repeated uint32`.
  mutating func append(field: UInt8, packed column: [UInt32]) {
    guard !column.isEmpty else { return }
    append(tag: field, .lengthDelimited)
    append(varint: column.packedSize)
    // 5 bytes hold 35 bits.
    append(addingCapacity: column.count * 5) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        for value in column {
          var rest = value
          while rest >= 0x80 {
            buffer[count] = UInt8(truncatingIfNeeded: rest) | 0x80
            count += 1
            rest >>= 7
          }
          buffer[count] = UInt8(rest)
          count += 1
        }
      }
    }
  }

  /// Appends a `repeated sfixed32`.
  mutating func append(field: UInt8, packed column: [Int32]) {
    guard !column.isEmpty else { return }
    append(tag: field, .lengthDelimited)
    append(varint: column.packedSize)
    append(addingCapacity: column.count * 4) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        for value in column {
          bytes.storeBytes(of: value.littleEndian, toByteOffset: count, as: Int32.self)
          count += 4
        }
      }
    }
  }
}

extension UnsignedInteger where Self: FixedWidthInteger {
  /// The bytes of the number as a varint.
  var varintSize: Int { Swift.max(1, (Self.bitWidth - leadingZeroBitCount + 6) / 7) }
}

extension UInt32 {
  /// The bytes of a field that is left out when it is 0.
  var fieldSize: Int { self == 0 ? 0 : 1 + varintSize }
}

extension [UInt32] {
  /// The bytes of the values alone.
  fileprivate var packedSize: UInt32 { reduce(0) { $0 + UInt32($1.varintSize) } }

  /// The bytes of a packed field that is left out when it is empty.
  var packedFieldSize: Int { isEmpty ? 0 : 1 + packedSize.varintSize + Int(packedSize) }
}

extension [Int32] {
  /// The bytes of the values alone.
  fileprivate var packedSize: UInt32 { UInt32(count) * 4 }

  /// The bytes of a packed field that is left out when it is empty.
  var packedFieldSize: Int { isEmpty ? 0 : 1 + packedSize.varintSize + Int(packedSize) }
}
