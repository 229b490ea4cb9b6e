// `madang games`: the games that ended last.
import ArgumentParser
import Foundation
import Game
import MadangProtocol
import Store

package struct Games: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "List the games that ended last, newest first.",
    discussion: """
      A line has the game, its mode, its end, its number of players, its room's code, and the first of its board, if \
      anybody has points. With --json each line is a JSON object. Works beside a running server.
      """
  )

  package init() {}

  @Option(help: "The number of games.")
  var count = 20

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @OptionGroup var folder: StoreFolder

  package func validate() throws {
    guard count > 0 else { throw ValidationError("count is at least 1.") }
  }

  package func run() async throws {
    let store = try folder.open()
    defer { store.close() }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for row in try store.games(newest: count) {
      let game = ListedGame(
        row,
        code: try store.roomCode(of: row.id.room).map { RoomCode(drawing: $0).description },
        first: try store.game(row.id)?.results.first { $0.givenRank == 1 }
      )
      print(json ? String(decoding: try encoder.encode(game), as: UTF8.self) : game.line)
    }
  }
}

/// A game in the list. The names are the wire's.
private struct ListedGame: Encodable {
  struct First: Encodable {
    let nickname: String
    let points: UInt32
    let won: Bool
  }

  let gameId: String
  let mode: String
  let startedAtMs: Int64
  let endedAtMs: Int64
  let players: Int
  let code: String?
  let first: First?

  init(_ row: GameRow, code: String?, first: ResultRow?) {
    gameId = row.id.description
    mode = row.mode.name
    startedAtMs = row.startedAt.milliseconds
    endedAtMs = row.endedAt.milliseconds
    players = row.playersCount
    self.code = code
    self.first = first.map { First(nickname: $0.nickname, points: $0.points, won: $0.won) }
  }

  var line: String {
    let start = "\(gameId)  \(mode)  \(Instant(milliseconds: endedAtMs).utc)  \(players) players"
    let board = first.map { "\($0.won ? "won by" : "first") \($0.nickname.printable), \($0.points) points" }
    return ([start, code, board].compactMap { $0 }).joined(separator: "  ")
  }
}
