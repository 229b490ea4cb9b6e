// `madang operators list`, `sessions` and `end-session`: who may come in, and who has.
import ArgumentParser
import ConsoleProtocol
import Game
import OperatorAccounts

extension Operators {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List operators and machines' tokens.",
      discussion: "Each with its role. Works beside a running server."
    )

    @Flag(help: "One JSON object a line.")
    var json = false

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let book = try OperatorBook(inFolder: folder.path())
      let rows = book.sortedAccounts.map(ListedOperator.init) + book.sortedTokens.map(ListedOperator.init)
      for row in rows {
        if json { try row.printJSON() } else { print(row.line) }
      }
    }
  }

  struct Sessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the sessions of operators' browsers, newest first.",
      discussion: """
        Each with its identifier, whose it is (token: of the server's own), since when, when it was last seen, its \
        address and its browser. Works beside a running server; the time last seen is some minutes old then.
        """
    )

    @Flag(help: "One JSON object a line.")
    var json = false

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      for session in try OperatorSessions.read(inFolder: folder.path()).reversed() {
        let row = ListedSession(session)
        if json { try row.printJSON() } else { print(row.line) }
      }
    }
  }

  struct EndSession: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "end-session",
      abstract: "End a session of an operator's browser, or all of an operator."
    )

    @Argument(help: "The session's identifier, as madang operators sessions has it.")
    var session: String?

    @Option(help: "All sessions of this operator.")
    var name: String?

    @OptionGroup var folder: WritableStoreFolder

    func validate() throws {
      guard (session == nil) != (name == nil) else {
        throw ValidationError("name a session, or an operator by --name.")
      }
    }

    func run() async throws {
      let name = try name.map { try OperatorName(argument: $0) }
      let members = FeedEndSession.with {
        if let session { $0.session = session }
        if let name { $0.name = name.text }
      }
      try await folder.endSessions(members.consoleJSON, detail: session ?? name?.text ?? "") { each in
        if let session { each.id == session } else { each.name == name }
      }
    }
  }
}

private struct ListedOperator: Encodable {
  let name: String
  let kind: String
  let role: String
  let createdAtMs: Int64
  let hasPassword: Bool?
  let hasCodes: Bool?
  let linkExpiresAtMs: Int64?

  init(_ account: OperatorAccount) {
    (name, kind, role) = (account.name.text, "operator", account.role.rawValue)
    createdAtMs = account.createdAt.milliseconds
    (hasPassword, hasCodes) = (account.passwordHash != nil, account.codes != nil)
    linkExpiresAtMs = account.link?.expiresAt.milliseconds
  }

  init(_ token: OperatorToken) {
    (name, kind, role) = (token.name.text, "token", token.role.rawValue)
    createdAtMs = token.createdAt.milliseconds
    (hasPassword, hasCodes, linkExpiresAtMs) = (nil, nil, nil)
  }

  var line: String {
    var facts: [String] = []
    if kind == "token" { facts.append("token") }
    if hasPassword == true { facts.append(hasCodes == true ? "password and one-time codes" : "password") }
    if let linkExpiresAtMs { facts.append("link until \(Instant(milliseconds: linkExpiresAtMs).utc)") }
    return "\(name)  \(role)  \(facts.joined(separator: ", "))  since \(Instant(milliseconds: createdAtMs).utc)"
  }
}

private struct ListedSession: Encodable {
  let session: String
  let `operator`: String
  let startedAtMs: Int64
  let seenAtMs: Int64
  let address: String
  let browser: String

  init(_ session: OperatorSession) {
    self.session = session.id
    `operator` = session.name?.text ?? OperatorName.ofServerToken
    (startedAtMs, seenAtMs) = (session.startedAt.milliseconds, session.seenAt.milliseconds)
    (address, browser) = (session.address, session.browser)
  }

  var line: String {
    let since = Instant(milliseconds: startedAtMs).utc
    let seen = Instant(milliseconds: seenAtMs).utc
    let what = browser.isEmpty ? "" : "  \(browser.printable)"
    return "\(session.printable)  \(`operator`)  since \(since)  seen \(seen)  \(address.printable)\(what)"
  }
}
