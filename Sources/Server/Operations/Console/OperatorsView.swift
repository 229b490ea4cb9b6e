// The console's view of operators, tokens and sessions. Pure; made on the operators' shard.
import ConsoleProtocol
import Game
import OperatorAccounts

extension FeedOperatorList {
  /// What an operator may see: an admin all of it, others themselves and their own sessions.
  init(_ register: OperatorRegister, for identity: OperatorIdentity) {
    let seesAll = identity.may(.endSession)
    self = .with { (list: inout FeedOperatorList) in
      let people = register.book.sortedAccounts.filter { seesAll || $0.name == identity.person }
      list.operators = people.map(Operator.init)
      if seesAll { list.operators += register.book.sortedTokens.map(Operator.init) }
      let sessions = register.sessions.filter { seesAll || $0.name == identity.person }
      list.sessions = sessions.reversed().map { session in
        .with {
          $0.session = session.id
          if let name = session.name { $0.operator = name.text }
          $0.startedAtMs = session.startedAt.milliseconds
          $0.seenAtMs = session.seenAt.milliseconds
          $0.address = session.address
          $0.browser = session.browser
          $0.consoles = Int32(register.feedCounts[session.id] ?? 0)
          $0.own = identity.session != nil && session.name == identity.person
          $0.this = session.id == identity.session
        }
      }
    }
  }
}

extension FeedOperatorList.Operator {
  fileprivate init(_ account: OperatorAccount) {
    self = .with {
      $0.name = account.name.text
      $0.kind = "operator"
      $0.role = account.role.rawValue
      $0.createdAtMs = account.createdAt.milliseconds
      $0.hasPassword_p = account.passwordHash != nil
      $0.hasCodes_p = account.codes != nil
      if let link = account.link { $0.linkExpiresAtMs = link.expiresAt.milliseconds }
    }
  }

  fileprivate init(_ token: OperatorToken) {
    self = .with {
      $0.name = token.name.text
      $0.kind = "token"
      $0.role = token.role.rawValue
      $0.createdAtMs = token.createdAt.milliseconds
    }
  }
}
