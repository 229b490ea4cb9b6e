// `madang audit`: the actions of operators.
import ArgumentParser
import Game
import Store

package struct Audit: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "List what operators have done, newest first.",
    discussion: """
      Each with its number, when, who (an operator, or a token) from which address (or by a command), what, to whom or \
      which room, and why. A player who is deleted stands there by the identifier alone. Works beside a running server.
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
    let room = room.map { " room \(entry.code?.printable ?? "\($0)")" } ?? ""
    let detail = detail.isEmpty ? "" : ": \(detail.printable(600))"
    let reason = entry.reason.isEmpty ? "" : ": \(entry.reason.printable(600))"
    let who = entry.operator.isEmpty ? address : "\(entry.operator.printable) (\(address))"
    return "\(number)  \(at.utc)  \(who)  \(action.printable)\(player)\(room)\(detail)\(reason)"
  }
}

private struct ExportedAuditRow: Encodable {
  let number: Int64
  let atMs: Int64
  let address: String
  let `operator`: String
  let action: String
  let player: String?
  let nickname: String?
  let room: String?
  let code: String?
  let detail: String
  let reason: String

  init(_ row: AuditRow) {
    number = row.number
    atMs = row.at.milliseconds
    address = row.address
    `operator` = row.entry.operator
    action = row.action
    player = row.player.map(\.description)
    nickname = row.nickname
    room = row.room.map(\.description)
    code = row.entry.code
    detail = row.detail
    reason = row.entry.reason
  }
}
