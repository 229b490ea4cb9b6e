// `madang webhooks`: the addresses that are told of events.
import ArgumentParser
import Game
import Store

package struct Webhooks: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Add, list, test and remove webhooks: addresses of your own backend that are told of events.",
    discussion: """
      Events wait in the data folder until they are delivered. A server that runs on the folder with --admin-port makes \
      the changes itself; one without it must be stopped meanwhile. Each change is in the audit log.
      """,
    subcommands: [Add.self, List.self, Remove.self, Enable.self, Test.self]
  )

  package init() {}
}

extension Webhooks {
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a webhook.",
      discussion: """
        Prints its identifier, and the secret by which you verify the signatures of requests (Standard Webhooks). The \
        secret is shown this once. There are 8 webhooks at most.
        """
    )

    @Argument(help: "The address; https, unless the server has --webhook-private-addresses.")
    var url: String

    @Option(help: "The types of events, with commas: fence, gameEnded, playerDeleted, suspect.")
    var events: String

    @Option(help: "A word of yours for it.")
    var name = ""

    @Flag(help: "Take http and private addresses, as a server with this flag does; a running one decides itself.")
    var webhookPrivateAddresses = false

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let isSet = try Settings(file: nil).bool(.webhookPrivateAddresses) ?? false
      let types = try events.split(separator: ",").map { (name: Substring) in
        guard let type = WebhookEventType(name: name) else {
          throw ValidationError("\(String(name).printable) is no type of events: \(WebhookEventType.offeredNames).")
        }
        return type
      }
      guard !types.isEmpty else { throw ValidationError("a webhook asks for \(WebhookEventType.offeredNames).") }
      if let fault = WebhookTarget.fault(ofName: name) { throw ValidationError("\(fault).") }
      let list = try folder.openOrFindServer()
      defer { list.store.close() }
      print(try await list.addWebhook(url, name, Set(types), allowsPrivate: webhookPrivateAddresses || isSet))
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all webhooks, oldest first.",
      discussion: "Each with its state, what waits for it, and its last failure. Works beside a running server."
    )

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let store = try folder.open()
      defer { store.close() }
      for row in try store.webhooks() { print(row.text(at: .now)) }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a webhook, and all events that wait for it.")

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await named.act("removeWebhook") { .remove($0, $1) } }
  }

  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Enable a webhook that was switched off, or have a failing one be tried at once."
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await named.act("enableWebhook") { .enable($0, $1) } }
  }

  struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Send a test event to a webhook.",
      discussion: "The event waits behind those that wait already. Needs a running server."
    )

    @OptionGroup var named: NamedWebhook

    func run() async throws { try await named.act("testWebhook", nil) }
  }
}

/// The webhook that a command is about, and the folder.
struct NamedWebhook: ParsableArguments {
  @Argument(help: "The identifier, as madang webhooks list has it.")
  var id: String

  @OptionGroup var folder: WritableStoreFolder

  /// Does something with the webhook: by the running server, or by a change of the store. There is none for what only a
  /// server can do.
  func act(_ action: String, _ change: ((WebhookID, AuditEntry) -> WebhookChange)?) async throws {
    guard let webhook = WebhookID(id) else {
      throw ValidationError("\(id.printable) names no webhook: 32 hexadecimal digits; see madang webhooks list.")
    }
    let list = try folder.openOrFindServer()
    defer { list.store.close() }
    print(try await list.act(action, on: webhook, change))
  }
}
