// A change of who may come in, as an operator asks for it. A value; pure.
import Game
import OperatorAccounts

package enum AccessChange: Sendable, Hashable {
  case addOperator(OperatorName, OperatorRole)
  case addToken(OperatorName, OperatorRole)
  case setRole(OperatorName, OperatorRole)
  case remove(OperatorName)
  case reset(OperatorName)
  /// One session, of anybody.
  case endSession(String)
  /// All sessions of an operator.
  case endSessions(OperatorName)
  /// One session of who asks; nil for all of them.
  case endOwnSession(String?)

  /// The act in the table.
  var act: OperatorAct {
    switch self {
    case .addOperator: .addOperator
    case .addToken: .addToken
    case .setRole: .setRole
    case .remove: .removeOperator
    case .reset: .resetOperator
    case .endSession, .endSessions: .endSession
    case .endOwnSession: .endOwnSession
    }
  }

  /// The details for the audit log and the server's log: no secret.
  var detail: String {
    switch self {
    case .addOperator(let name, let role), .addToken(let name, let role), .setRole(let name, let role):
      "\(name): \(role.rawValue)"
    case .remove(let name), .reset(let name), .endSessions(let name): name.text
    case .endSession(let id): id
    case .endOwnSession(let id): id ?? "all"
    }
  }

  /// What is shown to the operator alone, once.
  enum Shown: Sendable {
    case nothing
    case link(OperatorSecret)
    case token(OperatorSecret)
  }

  /// Changes operators and tokens. Sessions are in no book.
  func apply(to book: inout OperatorBook, at now: Instant) throws(OperatorRefusal) -> Shown {
    switch self {
    case .addOperator(let name, let role): return .link(try book.add(name, role, at: now))
    case .addToken(let name, let role): return .token(try book.addToken(name, role, at: now))
    case .reset(let name): return .link(try book.reset(name, at: now))
    case .setRole(let name, let role): try book.setRole(name, role)
    case .remove(let name): try book.remove(name)
    case .endSession, .endSessions, .endOwnSession: break
    }
    return .nothing
  }

  /// Whether it ends a session.
  func ends(_ session: OperatorSession) -> Bool {
    switch self {
    case .endSession(let id): session.id == id
    case .endSessions(let name): session.name == name
    default: false
    }
  }

  /// What an outcome adds when its file can't be written.
  static func text(of fault: OperatorFileFault?) -> String {
    fault.map { "; a restart undoes it, because its file can't be written: \($0)" } ?? ""
  }

  /// The outcome in English.
  var done: String {
    switch self {
    case .addOperator(let name, let role): "operator \(name) is added as \(role.rawValue)"
    case .addToken(let name, let role): "token \(name) is added as \(role.rawValue)"
    case .setRole(let name, let role): "\(name) is \(role.rawValue) now"
    case .remove(let name): "\(name) is removed"
    case .reset(let name): "\(name) sets a new password by the link; what they had is good no more"
    case .endSession(let id): "session \(id) has ended"
    case .endSessions(let name): "all sessions of \(name) have ended"
    case .endOwnSession(let id): id == nil ? "all your sessions have ended" : "the session has ended"
    }
  }
}
