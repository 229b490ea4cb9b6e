// `madang sanctions`: the bans and mutes in force.
import ArgumentParser
import Commands
import Game
import Store

struct Sanctions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List who is banned or muted now, newest first.",
    discussion: "Works beside a running server, by which players are banned and muted, and let in again."
  )

  @Option(help: "At most so many.")
  var limit = 1_000

  @Flag(help: "One JSON object a line.")
  var json = false

  @OptionGroup var folder: StoreFolder

  func validate() throws {
    guard limit > 0 else { throw ValidationError("limit is at least 1.") }
  }

  func run() async throws {
    let store = try folder.open()
    defer { store.close() }
    let limit = limit
    let now = try ClockFile(folder: folder.path()).expiryTime(at: .now)
    let rows = try await withCheckedContinuation { waiting in
      store.sanctions(at: now, limit: limit) { waiting.resume(returning: $0) }
    }.get()
    if json {
      for row in rows { try ExportedSanction(row).printJSON() }
    } else {
      for row in rows { print(row.line) }
    }
  }
}

extension SanctionRow {
  fileprivate var line: String {
    let nickname = nickname.map { " (\($0.printable))" } ?? ""
    let end = until.map { "until \($0.utc)" } ?? "until it is lifted"
    let reason = reason.isEmpty ? "" : ": \(reason.printable(600))"
    return "\(kind.rawValue)  \(player)\(nickname)  since \(since.utc)  \(end)\(reason)"
  }
}

private struct ExportedSanction: Encodable {
  let kind: String
  let player: String
  let nickname: String?
  let startedAtMs: Int64
  let endsAtMs: Int64?
  let reason: String

  init(_ row: SanctionRow) {
    kind = row.kind.rawValue
    player = row.player.description
    nickname = row.nickname
    startedAtMs = row.since.milliseconds
    endsAtMs = row.until?.milliseconds
    reason = row.reason
  }
}
