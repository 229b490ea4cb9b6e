// Random bytes and the comparison of secrets.
import Cryptography
import Testing

struct SecretsTests {
  @Test("As many random bytes are returned as requested", arguments: [0, 1, 16, 32, 1_000])
  func randomCount(count: Int) {
    #expect(RandomBytes.make(count: count).count == count)
  }

  @Test("Two draws of 32 bytes differ, and no byte of them is fixed")
  func randomDiffers() {
    let draws = (0..<64).map { _ in RandomBytes.make(count: 32) }
    #expect(Set(draws).count == draws.count)
    // A byte that is the same in 64 draws happens once in 2^504.
    for index in 0..<32 {
      #expect(Set(draws.map { $0[index] }).count > 1, "byte \(index)")
    }
  }

  @Test("Equal secrets are equal, the empty one too")
  func equalSecrets() {
    #expect(ConstantTime.areEqual([], []))
    #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
  }

  @Test("Secrets that differ in a single bit, at any position, are not equal")
  func differentSecrets() {
    let secret = [UInt8](0..<32)
    for bit in 0..<256 {
      var other = secret
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!ConstantTime.areEqual(secret, other), "bit \(bit)")
    }
  }

  @Test("A secret is not equal to its prefix")
  func differentLengths() {
    #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
    #expect(!ConstantTime.areEqual([1, 2], [1, 2, 3]))
    #expect(!ConstantTime.areEqual([], [0]))
  }
}
