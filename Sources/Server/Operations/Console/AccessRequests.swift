// The requests of a console about operators, tokens and sessions, as the server has them. Pure.
import ConsoleProtocol
import OperatorAccounts

extension AccessChange {
  /// Reads a change by its act; nil for an act that is none.
  init?(_ act: OperatorAct, _ bytes: [UInt8]) throws {
    switch act {
    case .addOperator:
      let (name, role) = try Self.nameAndRole(bytes)
      self = .addOperator(name, role)
    case .addToken:
      let (name, role) = try Self.nameAndRole(bytes)
      self = .addToken(name, role)
    case .setRole:
      let (name, role) = try Self.nameAndRole(bytes)
      self = .setRole(name, role)
    case .removeOperator: self = .remove(try FeedActOnOperator(consoleJSON: bytes).name.operatorName)
    case .resetOperator: self = .reset(try FeedActOnOperator(consoleJSON: bytes).name.operatorName)
    case .endSession:
      let end = try FeedEndSession(consoleJSON: bytes)
      guard end.hasSession != end.hasName else { throw ConsoleFieldFault("session, or name") }
      self = end.hasSession ? .endSession(try end.session.sessionID) : .endSessions(try end.name.operatorName)
    case .endOwnSession:
      let end = try FeedEndSession(consoleJSON: bytes)
      self = .endOwnSession(end.hasSession ? try end.session.sessionID : nil)
    default: return nil
    }
  }

  private static func nameAndRole(_ bytes: [UInt8]) throws -> (OperatorName, OperatorRole) {
    let act = try FeedActWithRole(consoleJSON: bytes)
    guard let role = OperatorRole(rawValue: act.role) else { throw ConsoleFieldFault("role: \(OperatorRole.words)") }
    return (try act.name.operatorName, role)
  }
}

extension String {
  fileprivate var operatorName: OperatorName {
    get throws(ConsoleFieldFault) {
      guard let name = OperatorName(self) else { throw ConsoleFieldFault("name: \(OperatorName.rule)") }
      return name
    }
  }

  /// The identifier of a session, which a log may have.
  fileprivate var sessionID: String {
    get throws(ConsoleFieldFault) {
      guard utf8.count == 16, allSatisfy(\.isHexDigit) else {
        throw ConsoleFieldFault("session: 16 hexadecimal digits")
      }
      return lowercased()
    }
  }
}
