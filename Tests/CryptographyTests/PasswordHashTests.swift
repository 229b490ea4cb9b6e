// scrypt against the examples of its standard, and the stored form of passwords.
import Cryptography
import Testing

@Suite("Hashes of passwords")
struct PasswordHashTests {
  @Test(
    "scrypt gives the keys of RFC 7914 §12",
    arguments: [
      (
        "", "", 4, 1, 1,
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
          + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", 10, 8, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 14, 8, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ]
  )
  func scrypt(_ example: (String, String, Int, Int, Int, String)) throws {
    let (password, salt, costLog2, blockSize, parallelism, key) = example
    let scrypt = try #require(Scrypt(costLog2: costLog2, blockSize: blockSize, parallelism: parallelism))
    let derived = scrypt.derive(from: Array(password.utf8), salt: Array(salt.utf8), byteCount: 64)
    #expect(Hexadecimal.encode(derived) == key)
  }

  @Test(
    "Parameters out of their bounds are refused, and so are parameters that need too much memory",
    arguments: [
      (0, 8, 1), (21, 1, 1), (-1, 8, 1), (15, 0, 1), (15, 33, 1), (15, 8, 0), (15, 8, 17), (15, 8, -1),
      (Int.max, Int.max, Int.max),
      // N is not below 2^(16 × r).
      (16, 1, 1),
      // 1 GiB, which is the last example of RFC 7914, and just over the bound.
      (20, 8, 1), (17, 8, 1),
    ]
  )
  func bounds(_ costLog2: Int, _ blockSize: Int, _ parallelism: Int) {
    #expect(Scrypt(costLog2: costLog2, blockSize: blockSize, parallelism: parallelism) == nil)
  }

  @Test("The parameters in use are within the bounds, and OpenSSL needs no more memory than calculated")
  func current() {
    let current = Scrypt.current
    let checked = Scrypt(
      costLog2: current.costLog2,
      blockSize: current.blockSize,
      parallelism: current.parallelism
    )
    #expect(checked == current)
    #expect(current.memoryBytes == 33_559_552)
  }

  @Test("Only the password itself is verified by its hash: no other one, no prefix, no extension")
  func verify() {
    let password = Array("맨발로 걷는 길".utf8)
    let hash = PasswordHash.make(of: password)
    #expect(hash.wholeMatch(of: /scrypt\$15\$8\$3\$[0-9a-f]{32}\$[0-9a-f]{64}/) != nil)
    #expect(PasswordHash.verify(password, hash))
    #expect(!PasswordHash.verify(Array("맨발로 걷는 곳".utf8), hash))
    #expect(!PasswordHash.verify(password.dropLast(), hash))
    #expect(!PasswordHash.verify(password + [1], hash))
    #expect(!PasswordHash.verify([], hash))
  }

  @Test("Two hashes of one password differ, because each has its own salt")
  func salts() {
    let password = Array("correct horse".utf8)
    #expect(PasswordHash.make(of: password) != PasswordHash.make(of: password))
  }

  @Test("A hash with other parameters within the bounds is verified with its own parameters")
  func otherParameters() throws {
    let salt = [UInt8](0..<16)
    let scrypt = try #require(Scrypt(costLog2: 4, blockSize: 1, parallelism: 1))
    let key = scrypt.derive(from: [1, 2, 3], salt: salt, byteCount: 32)
    let hash = "scrypt$4$1$1$\(Hexadecimal.encode(salt))$\(Hexadecimal.encode(key))"
    #expect(PasswordHash.verify([1, 2, 3], hash))
    #expect(!PasswordHash.verify([1, 2, 4], hash))
  }

  @Test("An invalid hash verifies no password, even where a laxer parser would find the right key in it")
  func malformed() throws {
    let salt = [UInt8](0..<16)
    let scrypt = try #require(Scrypt(costLog2: 4, blockSize: 1, parallelism: 1))
    let key = Hexadecimal.encode(scrypt.derive(from: [1], salt: salt, byteCount: 32))
    let saltText = Hexadecimal.encode(salt)
    for hash in [
      "", "scrypt", "$$$$$", "scrypt$4$1$1$\(saltText)", "scrypt$4$1$1$\(saltText)$\(key)$",
      "scrypt$4$1$1$\(saltText)$",
      "scrypt$+4$1$1$\(saltText)$\(key)", "scrypt$04$1$1$\(saltText)$\(key)", "Scrypt$4$1$1$\(saltText)$\(key)",
      "scrypt$4$1$1$\(saltText)$\(key.uppercased())", "scrypt$4$1$1$\(saltText)$\(key.dropLast(2))",
      "scrypt$4$1$1$$\(key)", "scrypt$63$8$1$\(saltText)$\(key)", "scrypt$4$1$99999999999999999999$\(saltText)$\(key)",
    ] {
      #expect(!PasswordHash.verify([1], hash), "\(hash)")
    }
    #expect(PasswordHash.verify([1], "scrypt$4$1$1$\(saltText)$\(key)"))
  }

  @Test("The decoy is a hash with the current parameters, and of no password")
  func decoy() {
    #expect(PasswordHash.decoy.hasPrefix("scrypt$15$8$3$"))
    #expect(PasswordHash.decoy.utf8.count == PasswordHash.make(of: [1]).utf8.count)
    #expect(!PasswordHash.verify([], PasswordHash.decoy))
    #expect(!PasswordHash.verify(Array("password".utf8), PasswordHash.decoy))
  }
}
