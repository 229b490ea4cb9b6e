// The operators and named tokens of a server, and the changes of them. A value; the file has the same (`BookCoding`).
//
// A refused change changes nothing. Names are unique over operators and tokens, so that a name in the audit log is one.
// Decisions: 130 (docs/decisions).
import Cryptography
import Game

/// The reason why operators are not changed, for an operator.
package struct OperatorRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String
  /// Its name for programs; nil for one that has none.
  package let code: String?

  package init(_ description: String, code: String? = nil) {
    self.description = description
    self.code = code
  }
}

package struct OperatorBook: Hashable, Sendable {
  package internal(set) var accounts: [OperatorName: OperatorAccount] = [:]
  package internal(set) var tokens: [OperatorName: OperatorToken] = [:]
  /// The bound on operators and tokens together.
  package static let countMax = 64

  package init() {}

  package var isEmpty: Bool { accounts.isEmpty && tokens.isEmpty }

  /// The operators by their names.
  package var sortedAccounts: [OperatorAccount] { accounts.values.sorted { $0.name < $1.name } }
  package var sortedTokens: [OperatorToken] { tokens.values.sorted { $0.name < $1.name } }

  /// Adds an operator.
  ///
  /// - Returns: the secret of the link by which they set a password.
  package mutating func add(
    _ name: OperatorName,
    _ role: OperatorRole,
    at now: Instant
  ) throws(OperatorRefusal) -> OperatorSecret {
    try requireFree(name)
    accounts[name] = OperatorAccount(name, role, at: now)
    return try reset(name, at: now)
  }

  /// Adds a token of a machine.
  package mutating func addToken(
    _ name: OperatorName,
    _ role: OperatorRole,
    at now: Instant
  ) throws(OperatorRefusal) -> OperatorSecret {
    try requireFree(name)
    let secret = OperatorSecret()
    let digest = OperatorSecret.digest(of: secret.text)
    tokens[name] = OperatorToken(name: name, role: role, createdAt: now, digest: digest)
    return secret
  }

  private func requireFree(_ name: OperatorName) throws(OperatorRefusal) {
    guard accounts[name] == nil, tokens[name] == nil else {
      throw OperatorRefusal("\(name) is there already", code: "OPERATOR_EXISTS")
    }
    guard accounts.count + tokens.count < Self.countMax else {
      throw OperatorRefusal(
        "there are \(Self.countMax) operators and tokens already: remove one first",
        code: "TOO_MANY_OPERATORS"
      )
    }
  }

  /// Gives an operator or a token another role.
  package mutating func setRole(_ name: OperatorName, _ role: OperatorRole) throws(OperatorRefusal) {
    if accounts[name] != nil {
      accounts[name]?.role = role
    } else if tokens[name] != nil {
      tokens[name]?.role = role
    } else {
      throw Self.unknown(name)
    }
  }

  /// Removes an operator or a token.
  package mutating func remove(_ name: OperatorName) throws(OperatorRefusal) {
    guard accounts.removeValue(forKey: name) != nil || tokens.removeValue(forKey: name) != nil else {
      throw Self.unknown(name)
    }
  }

  /// Forgets an operator's password and one-time codes, which ends their sessions, and makes a new link.
  package mutating func reset(_ name: OperatorName, at now: Instant) throws(OperatorRefusal) -> OperatorSecret {
    guard var account = accounts[name] else {
      throw OperatorRefusal("there is no operator \(name)", code: "OPERATOR_NOT_FOUND")
    }
    let secret = OperatorSecret()
    let digest = Hexadecimal.encode(OperatorSecret.digest(of: secret.text))
    (account.passwordHash, account.codes) = (nil, nil)
    account.link = OneTimeLink(digest: digest, expiresAt: now + OneTimeLink.lifetime)
    account.epoch = max(account.epoch + 1, now.milliseconds)
    accounts[name] = account
    return secret
  }

  /// The operator of a one-time link that is good; nil for any other secret.
  package func account(ofLink secret: String, at now: Instant) -> OperatorAccount? {
    let digest = OperatorSecret.digest(of: secret)
    return accounts.values.first { account in
      guard let link = account.link, now < link.expiresAt, let known = Hexadecimal.decode(link.digest) else {
        return false
      }
      return ConstantTime.areEqual(known, digest)
    }
  }

  /// Sets the password and the one-time codes of the operator of a link, which is spent then. The code that confirmed
  /// the codes is used.
  ///
  /// - Returns: the operator; nil when the link is good no more.
  package mutating func setPassword(
    ofLink secret: String,
    _ hash: String,
    _ codes: OneTimeCodes?,
    usedStep: Int64,
    at now: Instant
  ) -> OperatorAccount? {
    guard var account = account(ofLink: secret, at: now) else { return nil }
    account.passwordHash = hash
    account.codes = codes
    account.usedStep = max(account.usedStep, usedStep)
    account.link = nil
    account.epoch = max(account.epoch + 1, now.milliseconds)
    accounts[account.name] = account
    return account
  }

  /// Notes that an operator has used the code of a step.
  package mutating func use(step: Int64, of name: OperatorName) {
    guard let used = accounts[name]?.usedStep else { return }
    accounts[name]?.usedStep = max(used, step)
  }

  /// The token whose secret has this digest.
  package func token(_ digest: [UInt8]) -> OperatorToken? {
    tokens.values.first { ConstantTime.areEqual($0.digest, digest) }
  }

  private static func unknown(_ name: OperatorName) -> OperatorRefusal {
    OperatorRefusal("there is no operator and no token \(name)", code: "OPERATOR_NOT_FOUND")
  }
}
