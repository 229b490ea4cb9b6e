// Operators with names in tests: their folder, links, passwords and cookies.
import Foundation
import Game
import OperatorAccounts
import TestSupport

/// A listener with operators, whose files lie in a folder of the test's.
final class TestTeam {
  let folder: TestFolder
  private(set) var operators: TestOperators
  /// A console of the server's own token.
  private(set) var admin: TestConsole

  static let password = "correct horse battery"

  init() throws {
    folder = try TestFolder()
    operators = try TestOperators(folder: folder.path)
    admin = try TestConsole(operators)
  }

  /// Ends the listener and the server, and begins others on the same folder.
  func restart() throws {
    operators.operators.stop()
    operators = try TestOperators(folder: folder.path, clock: operators.game.clock)
    admin = try TestConsole(operators)
  }

  /// Lets the clock go on, so that an address has tries again.
  func awaitTries() { operators.game.clock.advance(seconds: 60) }

  /// Adds a token of a machine.
  ///
  /// - Returns: the field of requests with it.
  func token(_ name: String, _ role: String) throws -> String {
    let reply = try admin.ask("\"act\":\"addToken\",\"name\":\"\(name)\",\"role\":\"\(role)\"")
    guard let token = reply.text("token") else { throw TestFailure("no token: \(reply)") }
    return "Authorization: Bearer \(token)"
  }

  /// Adds an operator.
  ///
  /// - Returns: the secret of the link.
  func link(_ name: String, _ role: String) throws -> String {
    let reply = try admin.ask("\"act\":\"addOperator\",\"name\":\"\(name)\",\"role\":\"\(role)\"")
    guard let link = reply.text("link"), let hash = link.firstIndex(of: "#") else {
      throw TestFailure("no link: \(reply)")
    }
    return String(link[link.index(after: hash)...])
  }

  /// Adds an operator who sets a password.
  ///
  /// - Returns: the field of requests with the cookie of their session.
  func person(_ name: String, _ role: String) throws -> String {
    let answer = try setPassword(link(name, role))
    return try Self.cookie(of: answer)
  }

  func setPassword(_ link: String, _ password: String = TestTeam.password, code: String? = nil) throws -> TestHTTP {
    let code = code.map { ",\"code\":\"\($0)\"" } ?? ""
    return try operators.put("/console/password", "{\"link\":\"\(link)\",\"password\":\"\(password)\"\(code)}")
  }

  func ask(_ link: String) throws -> TestHTTP { try operators.put("/console/link", "{\"link\":\"\(link)\"}") }

  func signIn(_ name: String, _ password: String = TestTeam.password, code: String = "") throws -> TestHTTP {
    try operators.put(
      "/console/sign-in",
      "{\"name\":\"\(name)\",\"password\":\"\(password)\",\"code\":\"\(code)\"}"
    )
  }

  /// The code of an app at the server's time, some steps later.
  func code(_ codes: OneTimeCodes, later steps: Int64 = 0) -> String {
    let now = Instant(milliseconds: operators.game.clock.now().milliseconds)
    return codes.code(ofStep: OneTimeCodes.step(at: now) + steps)
  }

  static func cookie(of answer: TestHTTP) throws -> String {
    guard let value = answer.field("Set-Cookie")?.prefix(while: { $0 != ";" }) else {
      throw TestFailure("no cookie: \(answer.status) \(answer.body)")
    }
    return "Cookie: \(value)"
  }
}

extension TestHTTP {
  /// The body as an object.
  func object() throws -> [String: Any] {
    guard let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      throw TestFailure("no object: \(body)")
    }
    return object
  }

  /// What is wrong with a form.
  var fault: String? { (try? object())?.text("fault") }
}
