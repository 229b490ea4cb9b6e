// Comparison of secrets whose time does not reveal where they differ. A pure function, callable from anywhere.
// Tokens and their hashes are never compared with `==`.
import COpenSSL

/// Operations whose duration does not depend on the bytes that they are given.
package enum ConstantTime {
  /// Whether both hold the same bytes. The time depends on their lengths only, which are not secret.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
