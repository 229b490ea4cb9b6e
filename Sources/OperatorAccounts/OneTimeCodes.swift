// One-time codes by the clock (TOTP, RFC 6238), as authenticator apps make them: six digits, 30 s, HMAC with SHA-1.
//
// A value with a secret: it stands in the file of operators, for the server must compute the codes.
import Cryptography
import Game

package struct OneTimeCodes: Hashable, Sendable {
  private let secret: [UInt8]
  /// RFC 4226 §4 asks for 160 bits.
  private static let secretBytes = 20
  private static let stepMs: Int64 = 30_000
  private static let digitCount = 6
  /// Clocks of phones differ, and people type slowly: a code is good one step before and behind its own.
  private static let stepsAround: Int64 = 1

  /// Draws a secret.
  package init() {
    secret = RandomBytes.make(count: Self.secretBytes)
  }

  /// Reads a secret's text; nil for any other.
  package init?(_ text: String) {
    guard let bytes = Base32.decode(text), bytes.count == Self.secretBytes else { return nil }
    secret = bytes
  }

  /// The secret, as one types it into an app.
  package var text: String { Base32.encode(secret) }

  /// The address that an app reads from a QR (the key URI format of Google Authenticator).
  package func address(of name: OperatorName) -> String {
    let escaped = name.text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        String(decoding: [byte], as: UTF8.self)
      default: "%" + Hexadecimal.encode([byte]).uppercased()
      }
    }
    return "otpauth://totp/Madang:\(escaped.joined())?secret=\(text)&issuer=Madang"
  }

  /// The step of time that a moment is in.
  package static func step(at now: Instant) -> Int64 { now.milliseconds / stepMs }

  /// The code of a step.
  package func code(ofStep step: Int64) -> String { code(ofStep: step, digitCount: Self.digitCount) }

  /// The code of a step with so many digits, 6 to 8 (RFC 4226 §5.3).
  package func code(ofStep step: Int64, digitCount: Int) -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> Int64(56 - 8 * $0)) }
    let mac = MessageAuthentication.hmacSHA1(of: counter, key: secret)
    let offset = Int(mac[mac.count - 1] & 0xF)
    let bits = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let modulus = (0..<digitCount).reduce(UInt32(1)) { power, _ in power * 10 }
    let digits = String(bits % modulus)
    return String(repeating: "0", count: digitCount - digits.count) + digits
  }

  /// The step whose code this is, if it is good at `now` and later than the last used step; nil otherwise. Spaces make
  /// no difference. The time does not tell which step was nearly right.
  package func step(of typed: String, at now: Instant, after used: Int64) -> Int64? {
    let typed = Array(typed.utf8.filter { $0 != UInt8(ascii: " ") })
    let current = Self.step(at: now)
    var found: Int64?
    for step in current - Self.stepsAround...current + Self.stepsAround
    where ConstantTime.areEqual(Array(code(ofStep: step).utf8), typed) && step > used {
      found = found ?? step
    }
    return found
  }
}
