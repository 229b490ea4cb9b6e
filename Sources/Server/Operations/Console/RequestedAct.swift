// An act as an operator asks for it, by a console or by the API. A value, and its reading; pure.
import OperatorAccounts

package enum RequestedAct: Sendable, Equatable {
  case action(OperatorAction)
  /// A change of who may come in.
  case access(AccessChange)

  /// Its row in the table of acts.
  var act: OperatorAct {
    switch self {
    case .action(let action): action.act
    case .access(let change): change.act
    }
  }

  /// Reads what an act needs from the message of the act. An edition of schools comes whole.
  init(_ act: OperatorAct, _ bytes: [UInt8]) throws {
    if act == .importSchools {
      self = .action(try .edition(bytes))
    } else if let change = try AccessChange(act, bytes) {
      self = .access(change)
    } else {
      self = .action(try OperatorAction(act, bytes))
    }
  }
}
