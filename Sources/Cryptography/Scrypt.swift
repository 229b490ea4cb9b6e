// scrypt (RFC 7914) by OpenSSL: a key of a password that takes much time and memory, so that guessing does too.
//
// A value with the cost, whose parameters are always within bounds. PasswordHash has the choice of the cost and the
// stored form. Uses memory and time on the calling thread: never a shard's.
import COpenSSL

/// The cost of scrypt: CPU and memory grow with N × r, CPU alone with p.
package struct Scrypt: Hashable, Sendable {
  /// The binary logarithm of N.
  package let costLog2: Int
  /// r.
  package let blockSize: Int
  /// p.
  package let parallelism: Int

  /// The cost for new hashes: 32 MiB. With N = 2^15 and r = 8 OWASP's cheat sheet asks for p = 3.
  package static let current = Scrypt(checkedCostLog2: 15, blockSize: 8, parallelism: 3)

  /// The most memory of one derivation, in bytes.
  package static let memoryBytesMax = 128 << 20

  /// Nil when a parameter is beyond the bounds of scrypt or of this server: a tampered hash must not take all memory or
  /// keep a thread for minutes.
  package init?(costLog2: Int, blockSize: Int, parallelism: Int) {
    guard (1...20).contains(costLog2), (1...32).contains(blockSize), (1...16).contains(parallelism) else { return nil }
    self.init(checkedCostLog2: costLog2, blockSize: blockSize, parallelism: parallelism)
    // RFC 7914 §2: N is less than 2^(128 × r / 8).
    guard costLog2 < 16 * blockSize, memoryBytes <= Self.memoryBytesMax else { return nil }
  }

  private init(checkedCostLog2 costLog2: Int, blockSize: Int, parallelism: Int) {
    self.costLog2 = costLog2
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// The memory of one derivation, as OpenSSL calculates it.
  package var memoryBytes: Int { 128 * blockSize * (1 << costLog2 + 2 + parallelism) }

  /// The key of `byteCount` bytes, 1 or more.
  package func derive(from password: [UInt8], salt: [UInt8], byteCount: Int) -> [UInt8] {
    precondition(byteCount > 0, "a key's length is positive")
    return [UInt8](unsafeUninitializedCapacity: byteCount) { key, initializedCount in
      let isDone = password.withUnsafeBytes { password in
        EVP_PBE_scrypt(
          password.bindMemory(to: CChar.self).baseAddress,
          password.count,
          salt,
          salt.count,
          1 << UInt64(costLog2),
          UInt64(blockSize),
          UInt64(parallelism),
          UInt64(memoryBytes),
          key.baseAddress,
          byteCount
        )
      }
      // Either this installation forbids scrypt, or memory is exhausted, which Swift's own allocations don't survive
      // either.
      precondition(isDone == 1, "OpenSSL can compute scrypt")
      initializedCount = byteCount
    }
  }
}
