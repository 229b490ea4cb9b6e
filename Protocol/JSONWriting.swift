// Members of a JSON object, appended to a buffer as swift-protobuf writes them: no white space, no zeros, no empty
// arrays.
//
// Appends only; a caller writes the object's braces. Numbers here have at most 32 bits, so none needs quotes.

extension [UInt8] {
  /// Appends text that needs no escapes.
  mutating func append(text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a number that proto3 leaves out when it is 0.
  mutating func append(member key: StaticString, skippingZero value: UInt32) {
    guard value != 0 else { return }
    append(key: key)
    appendDecimals(CollectionOfOne(value))
  }

  /// Appends a number, also 0.
  mutating func append(member key: StaticString, number: UInt32) {
    append(key: key)
    appendDecimals(CollectionOfOne(number))
  }

  /// Appends an array of numbers.
  mutating func append(member key: StaticString, column: [some FixedWidthInteger]) {
    guard !column.isEmpty else { return }
    append(key: key)
    append(UInt8(ascii: "["))
    appendDecimals(column)
    append(UInt8(ascii: "]"))
  }

  /// Appends a value that is JSON already.
  mutating func append(member key: StaticString, value: [UInt8]) {
    append(key: key)
    append(contentsOf: value)
  }

  /// Appends an array of values that are JSON already.
  mutating func append(member key: StaticString, values: some Collection<[UInt8]>) {
    guard !values.isEmpty else { return }
    append(key: key)
    append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(contentsOf: value)
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends a key in quotes with its colon, after a comma unless it is an object's first.
  private mutating func append(key: StaticString) {
    if last != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    append(text: key)
  }

  /// Appends numbers of at most 32 bits, with commas between them.
  private mutating func appendDecimals(_ values: some Collection<some FixedWidthInteger>) {
    // A sign, 10 digits and a comma.
    append(addingCapacity: values.count * 12) { span in
      span.withUnsafeMutableBufferPointer { buffer, count in
        for value in values {
          if count > 0 {
            buffer[count] = UInt8(ascii: ",")
            count += 1
          }
          if value < 0 {
            buffer[count] = UInt8(ascii: "-")
            count += 1
          }
          let magnitude = UInt32(value.magnitude)
          count += magnitude.digitCount
          magnitude.writeDigits(to: buffer, before: count)
        }
      }
    }
  }
}

extension UInt32 {
  /// The number of decimal digits: 1 to 10.
  fileprivate var digitCount: Int {
    var count = 1
    var limit: UInt64 = 10
    while UInt64(self) >= limit {
      count += 1
      limit *= 10
    }
    return count
  }

  /// Writes the number's decimal digits so that the last one stands before `end`.
  fileprivate func writeDigits(to buffer: UnsafeMutableBufferPointer<UInt8>, before end: Int) {
    var rest = self
    var offset = end
    repeat {
      offset -= 1
      buffer[offset] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
  }
}
