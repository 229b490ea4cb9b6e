// `madang audit`: the actions of operators.
import ArgumentParser
import Game
import Store

package struct Audit: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "List what operators have done, newest first.",
    discussion: """
      Each with its number, when, from which address (or by a command), what, and to whom or which room. A player who is \
      deleted stands there by the identifier alone. Works beside a running server.
      """
  )

  package init() {}

  @Option(help: "At most so many.")
  var limit = 50

  @Flag(help: "One JSON object a line.")
  var json = false

  @OptionGroup var folder: StoreFolder

  package func validate() throws {
    guard limit > 0 else { throw ValidationError("limit is at least 1.") }
  }

  package func run() async throws {
    let store = try folder.open()
    defer { store.close() }
    let limit = limit
    let rows = try await withCheckedContinuation { waiting in
      store.audit(before: nil, limit: limit) { waiting.resume(returning: $0) }
    }.get()
    if json {
      for row in rows { try ExportedAuditRow(row).printJSON() }
    } else {
      for row in rows { print(row.line) }
    }
  }
}

extension AuditRow {
  fileprivate var line: String {
    let player = player.map { " player \($0)" + (nickname.map { " (\($0.printable))" } ?? "") } ?? ""
    let room = room.map { " room \($0)" } ?? ""
    let detail = detail.isEmpty ? "" : ": \(detail.printable(600))"
    return "\(number)  \(at.utc)  \(address)  \(action.printable)\(player)\(room)\(detail)"
  }
}

private struct ExportedAuditRow: Encodable {
  let number: Int64
  let atMs: Int64
  let address: String
  let action: String
  let player: String?
  let nickname: String?
  let room: String?
  let detail: String

  init(_ row: AuditRow) {
    number = row.number
    atMs = row.at.milliseconds
    address = row.address
    action = row.action
    player = row.player.map(\.description)
    nickname = row.nickname
    room = row.room.map(\.description)
    detail = row.detail
  }
}
