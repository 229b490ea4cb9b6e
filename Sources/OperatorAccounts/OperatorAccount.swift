// An operator, and a named token of a machine, as the file of operators has them. Values; no secret is in clear but
// that of one-time codes.
import Cryptography
import Game

/// A person who signs in by name.
package struct OperatorAccount: Hashable, Sendable {
  package let name: OperatorName
  package internal(set) var role: OperatorRole
  package let createdAt: Instant
  /// The password's hash (`PasswordHash`); nil until the operator has set one.
  package internal(set) var passwordHash: String?
  /// One-time codes, if the operator has turned them on.
  package internal(set) var codes: OneTimeCodes?
  /// The step of the newest used code: no code up to it is good again.
  package internal(set) var usedStep: Int64 = 0
  /// The link by which a password may be set once.
  package internal(set) var link: OneTimeLink?
  /// Changes with everything that must end sessions: a reset, a new password. Sessions have it too.
  package internal(set) var epoch: Int64

  init(_ name: OperatorName, _ role: OperatorRole, at now: Instant) {
    (self.name, self.role, createdAt) = (name, role, now)
    epoch = now.milliseconds
  }
}

/// A one-time link: the digest of its secret, and its end.
package struct OneTimeLink: Hashable, Sendable {
  package let digest: String
  package let expiresAt: Instant

  /// The time in which a link is good.
  package static let lifetime = Duration.seconds(24 * 60 * 60)
}

/// A token of a machine.
package struct OperatorToken: Hashable, Sendable {
  package let name: OperatorName
  package internal(set) var role: OperatorRole
  package let createdAt: Instant
  let digest: [UInt8]
}

/// A secret that is shown once: 256 bits, in hexadecimal digits.
package struct OperatorSecret: Sendable {
  package let text: String

  init() {
    text = Hexadecimal.encode(RandomBytes.make(count: 32))
  }

  package static func digest(of text: String) -> [UInt8] { Digest.sha256(Array(text.utf8)) }
}
