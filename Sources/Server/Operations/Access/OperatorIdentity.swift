// Who asks something of the operators' listener: an operator with a session, or a token. A value.
//
// It is as of one moment: `OperatorRegister.current` tells whether it still holds.
import OperatorAccounts

package struct OperatorIdentity: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// The server's own token, or a browser that has shown it.
    case serverToken
    /// A machine's named token.
    case token(OperatorName)
    case person(OperatorName)
  }

  let kind: Kind
  package let role: OperatorRole
  /// The session of a browser; nil where a token was sent.
  let session: String?

  /// The server's own token, sent with a request.
  package static let serverToken = OperatorIdentity(kind: .serverToken, role: .admin, session: nil)

  /// The name in the audit log.
  package var name: String {
    switch kind {
    case .serverToken: OperatorName.ofServerToken
    case .token(let name), .person(let name): name.text
    }
  }

  /// The operator; nil for a token.
  var person: OperatorName? { if case .person(let name) = kind { name } else { nil } }

  func may(_ act: OperatorAct) -> Bool { role >= act.leastRole }

  /// The reason why an act is refused whatever the server's state; nil when it may be done.
  func fault(of act: OperatorAct, because reason: String) -> ActFault? {
    guard may(act) else {
      let text = "\(act.rawValue) needs the role \(act.leastRole.rawValue), and yours is \(role.rawValue)"
      return ActFault(text, code: "ROLE_TOO_LOW")
    }
    guard person != nil, act.needsReason, reason.allSatisfy(\.isWhitespace) else { return nil }
    return ActFault("\(act.rawValue) needs a reason", code: "REASON_NEEDED")
  }

  /// The acts that may be done.
  var acts: [OperatorAct] { OperatorAct.allCases.filter(may) }

  /// The acts that need a reason.
  var reasonedActs: [OperatorAct] { person == nil ? [] : acts.filter(\.needsReason) }
}
