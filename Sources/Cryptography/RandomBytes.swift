// Unpredictable random bytes from OpenSSL's generator (seeded by the kernel). Callable from anywhere.
// For secrets: tokens, codes, seeds. Rules of play never draw from it; they have seeds of their own.
import COpenSSL

/// Unpredictable bytes.
package enum RandomBytes {
  /// `count` new random bytes; `count` is 0 or more and fits 32 bits.
  package static func make(count: Int) -> [UInt8] {
    precondition(count >= 0 && count <= Int(Int32.max), "RAND_bytes accepts up to 2^31 - 1 bytes")
    return [UInt8](unsafeUninitializedCapacity: count) { output, initializedCount in
      // Without randomness every token would be guessable: better no server than that.
      precondition(count == 0 || RAND_bytes(output.baseAddress, Int32(count)) == 1, "the system has randomness")
      initializedCount = count
    }
  }
}
