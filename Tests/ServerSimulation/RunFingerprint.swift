// A fingerprint of a whole run: all delivered bytes, with receiver and time. A value. It depends on nothing else, so
// that a run and its repetition can be compared across processes.

/// A hash of all delivered bytes, eight at a time.
struct RunFingerprint {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ number: Int64) {
    value = (value ^ UInt64(bitPattern: number)) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func add(_ bytes: [UInt8]) {
    add(Int64(bytes.count))
    bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset + 8 <= raw.count {
        add(raw.loadUnaligned(fromByteOffset: offset, as: Int64.self))
        offset += 8
      }
      while offset < raw.count {
        add(Int64(raw[offset]))
        offset += 1
      }
    }
  }
}
