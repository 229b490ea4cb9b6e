// One-time codes against the examples of their standard, and the bounds on their use.
import Cryptography
import Game
import OperatorAccounts
import Testing

struct OneTimeCodesTests {
  private static let secret = Array("12345678901234567890".utf8)

  @Test(
    "Codes are those of RFC 6238, appendix B",
    arguments: [
      (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
      (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ]
  )
  func examples(seconds: Int64, code: String) throws {
    let codes = try #require(OneTimeCodes(Base32.encode(Self.secret)))
    let step = OneTimeCodes.step(at: Instant(milliseconds: seconds * 1_000))
    #expect(codes.code(ofStep: step, digitCount: 8) == code)
  }

  @Test("A code is good one step around its own, once, and none before it is good afterwards")
  func window() throws {
    let codes = try #require(OneTimeCodes(Base32.encode(Self.secret)))
    let now = Instant(milliseconds: 1_111_111_109_000)
    let step = OneTimeCodes.step(at: now)
    for around in [-1, 0, 1] as [Int64] {
      #expect(codes.step(of: codes.code(ofStep: step + around), at: now, after: 0) == step + around)
    }
    for far in [-2, 2] as [Int64] {
      #expect(codes.step(of: codes.code(ofStep: step + far), at: now, after: 0) == nil)
    }
    let code = codes.code(ofStep: step)
    #expect(codes.step(of: code, at: now, after: step) == nil, "it is used")
    #expect(codes.step(of: codes.code(ofStep: step - 1), at: now, after: step) == nil, "it is older than the used one")
    #expect(codes.step(of: code.prefix(3) + " " + code.suffix(3), at: now, after: step - 1) == step)
    #expect(codes.step(of: "", at: now, after: 0) == nil)
    #expect(codes.step(of: code + "0", at: now, after: 0) == nil)
  }

  @Test("A secret has 160 bits and one spelling")
  func secrets() throws {
    let drawn = OneTimeCodes()
    #expect(drawn.text.utf8.count == 32)
    #expect(OneTimeCodes(drawn.text) == drawn)
    #expect(OneTimeCodes(drawn.text.lowercased()) == nil)
    #expect(OneTimeCodes("MZXW6") == nil)
    let address = drawn.address(of: try #require(OperatorName("나래.a")))
    #expect(address == "otpauth://totp/Madang:%EB%82%98%EB%9E%98%2Ea?secret=\(drawn.text)&issuer=Madang")
  }
}
