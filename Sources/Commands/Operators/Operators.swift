// `madang operators`: who may come into the console, and by which tokens machines do.
import ArgumentParser
import ConsoleProtocol
import Game
import OperatorAccounts

package struct Operators: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Add, list and remove operators with names and roles, machines' tokens, and sessions.",
    discussion: """
      A viewer sees everything, a moderator also decides about players and what they write, an admin may do all. An \
      operator sets a password by a one-time link, which is good for 24 hours, and may turn on one-time codes there. \
      They lie in the data folder, in madang.operators. A server that runs on it with --admin-port makes the changes \
      itself; one without it must be stopped meanwhile. Each change is in the audit log.
      """,
    subcommands: [
      Add.self, List.self, Role.self, Reset.self, Remove.self, Token.self, Sessions.self, EndSession.self,
    ]
  )

  package init() {}
}

extension Operators {
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an operator.",
      discussion: "Prints the link by which they set a password, this once. madang operators reset makes a new one."
    )

    @Argument(help: "Their name, by which they sign in and stand in the audit log.")
    var name: String

    @Option(help: "viewer, moderator or admin.")
    var role: String

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let (name, role) = (try OperatorName(argument: name), try OperatorRole(argument: role))
      let act = FeedActWithRole.with {
        $0.name = name.text
        $0.role = role.rawValue
      }
      let done = "operator \(name) is added as \(role.rawValue)"
      try await folder.changeOperators("addOperator", act.consoleJSON, detail: "\(name): \(role.rawValue)", done) {
        (book) throws(OperatorRefusal) in .link(try book.add(name, role, at: .now))
      }
    }
  }

  struct Role: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give an operator or a token another role.")

    @Argument(help: "The name.")
    var name: String

    @Argument(help: "viewer, moderator or admin.")
    var role: String

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let (name, role) = (try OperatorName(argument: name), try OperatorRole(argument: role))
      let act = FeedActWithRole.with {
        $0.name = name.text
        $0.role = role.rawValue
      }
      let done = "\(name) is \(role.rawValue) now"
      try await folder.changeOperators("setRole", act.consoleJSON, detail: "\(name): \(role.rawValue)", done) {
        (book) throws(OperatorRefusal) in
        try book.setRole(name, role)
        return .nothing
      }
    }
  }

  struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new one-time link for an operator.",
      discussion: "Their password and one-time codes are good no more, and their sessions end at once."
    )

    @OptionGroup var named: NamedOperator

    func run() async throws {
      try await named.change("resetOperator", done: { "\($0) sets a new password by the link" }) {
        (book, name) throws(OperatorRefusal) in .link(try book.reset(name, at: .now))
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an operator or a token.",
      discussion: "Their sessions and open consoles end at once."
    )

    @OptionGroup var named: NamedOperator

    func run() async throws {
      try await named.change("removeOperator", done: { "\($0) is removed" }) { (book, name) throws(OperatorRefusal) in
        try book.remove(name)
        return .nothing
      }
    }
  }

  struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a token for a machine: a scraper, a backend.",
      discussion: """
        Prints the token, which requests send as Authorization: Bearer. It is shown this once; madang operators remove \
        ends it. A viewer's suffices for /metrics and /stats.
        """
    )

    @Argument(help: "The machine's name, which stands in the audit log.")
    var name: String

    @Option(help: "viewer, moderator or admin.")
    var role: String

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let (name, role) = (try OperatorName(argument: name), try OperatorRole(argument: role))
      let act = FeedActWithRole.with {
        $0.name = name.text
        $0.role = role.rawValue
      }
      let done = "token \(name) is added as \(role.rawValue)"
      try await folder.changeOperators("addToken", act.consoleJSON, detail: "\(name): \(role.rawValue)", done) {
        (book) throws(OperatorRefusal) in .token(try book.addToken(name, role, at: .now))
      }
    }
  }
}

/// The operator or token that a command is about, and the folder.
struct NamedOperator: ParsableArguments {
  @Argument(help: "The name, as madang operators list has it.")
  var name: String

  @OptionGroup var folder: WritableStoreFolder

  func change(
    _ act: String,
    done: (OperatorName) -> String,
    _ change: (inout OperatorBook, OperatorName) throws(OperatorRefusal) -> ShownSecret
  ) async throws {
    let name = try OperatorName(argument: name)
    let members = FeedActOnOperator.with { $0.name = name.text }.consoleJSON
    try await folder.changeOperators(act, members, detail: name.text, done(name)) {
      (book) throws(OperatorRefusal) in try change(&book, name)
    }
  }
}

extension OperatorName {
  /// - Throws: `ValidationError` for a text that is no name.
  init(argument text: String) throws {
    guard let name = OperatorName(text) else { throw ValidationError("\(text.printable): \(OperatorName.rule).") }
    self = name
  }
}

extension OperatorRole {
  /// - Throws: `ValidationError` for a text that is no role.
  fileprivate init(argument text: String) throws {
    guard let role = OperatorRole(rawValue: text) else {
      throw ValidationError("\(text.printable) is no role: \(OperatorRole.words).")
    }
    self = role
  }
}
