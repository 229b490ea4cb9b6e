// `madang replay`: replays a finished game from its journal and compares it with the stored result.
import ArgumentParser
import Foundation
import Game
import Store

package struct Replay: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Play a finished game again from its journal and check its result.",
    discussion: """
      The rules decide the game once more by what reached its room, and the board must come out as it was stored, and \
      the room's whole state at the end, which a fingerprint stands for: "the same" is printed, and the exit code is 0. It is 1 when it differs, and 2 when the game can't be played again: its \
      journal is no longer kept, or was written by other rules. Works beside a running server.
      """
  )

  package init() {}

  @Argument(help: "The game, as madang games lists it.")
  var game: String

  @Flag(help: "Print what happened, event by event, and every fix that was refused.")
  var events = false

  @Option(help: "Draw the tracks, and what everybody had at the end, into this file; must not be there yet.")
  var svg: String?

  @OptionGroup var folder: StoreFolder

  package func run() async throws {
    if let svg { try NewFile.require(svg) }
    let store = try folder.open()
    defer { store.close() }
    let named = try NamedGame(game, in: store)
    for line in named.stored.lines { print(line) }
    guard let journal = named.journal else {
      print("not replayable: its journal is no longer kept")
      throw ExitCode(2)
    }
    guard named.stored.row.rulesVersion == RulesVersion.current else {
      print("not replayable: played by rules \(named.stored.row.rulesVersion), these are \(RulesVersion.current)")
      throw ExitCode(2)
    }
    let story: GameStory
    do {
      story = try GameStory(named.stored.row.id.number, in: journal)
    } catch let fault as JournalFault {
      print("not replayable: \(fault)")
      throw ExitCode(2)
    }
    // The server was updated while the game was running.
    guard story.rulesVersion == RulesVersion.current else {
      print("not replayable: begun by rules \(story.rulesVersion), these are \(RulesVersion.current)")
      throw ExitCode(2)
    }
    if events { for (at, moment) in story.moments { print("\(at.utc) \(moment.line)") } }
    if let svg {
      let picture = ReplayPicture(
        story,
        title: "\(story.configuration.mode.name) \(story.result.startedAt.utc.prefix(10))"
      )
      try Data((picture.svg + "\n").utf8).write(to: URL(filePath: svg), options: .atomic)
    }
    let differences = Self.differences(named.stored, story.result)
    for difference in differences { print(difference) }
    print(
      "played again from \(story.inputCount) inputs and \(journal.count) bytes: "
        + (differences.isEmpty ? "the same" : "DIFFERENT")
    )
    guard differences.isEmpty else { throw ExitCode(1) }
  }

  /// The differences from the stored game.
  private static func differences(_ stored: StoredGame, _ replayed: GameResult) -> [String] {
    var differences: [String] = []
    if replayed.startedAt != stored.row.startedAt || replayed.endedAt != stored.row.endedAt {
      differences.append("played again from \(replayed.startedAt.utc) to \(replayed.endedAt.utc)")
    }
    differences += Self.differences(stored.results, replayed.rows(of: stored.row))
    if replayed.fingerprint != stored.row.fingerprint {
      differences.append("the room's state at the end: stored \(stored.row.fingerprint), now \(replayed.fingerprint)")
    }
    return differences
  }

  /// Compares results. Deleted players have no stored results, and nicknames may have been erased.
  private static func differences(_ stored: [ResultRow], _ replayed: [ResultRow]) -> [String] {
    stored.compactMap { row in
      guard var other = replayed.first(where: { $0.player == row.player }) else {
        return "\(row.player): not on the board"
      }
      other.nickname = row.nickname
      return other == row ? nil : "\(row.player): stored \(row.line), played again \(other.line)"
    }
  }
}

extension StoredGame {
  /// The game and its board as text.
  var lines: [String] {
    ["game \(row.id), \(row.mode.name), \(row.startedAt.utc) to \(row.endedAt.utc)"] + results.map { "  \($0.line)" }
  }
}

extension ResultRow {
  var line: String {
    "\(givenRank.map { "\($0)." } ?? "–") \(nickname): \(points) points, \(distanceMm / 1_000) m, \(timeMs / 1_000) s"
      + (won ? ", won" : "") + (completed ? "" : ", not completed")
  }
}

extension GameStory.Moment {
  fileprivate var line: String {
    switch self {
    case .event(let event): return event.line
    case .verdict(let seat, let refusal, let isSuspect, let fix):
      let (lat, lng) = Coordinate(latE7: fix.latE7, lngE7: fix.lngE7).degrees
      let verdict = refusal.map { "\($0.name)\(isSuspect ? ", suspect" : "")" } ?? "no longer suspect"
      let claims = [
        fix.accuracyM.map { "\($0) m accurate" }, fix.time.map { "of \($0.utc)" }, fix.mocked ? "mocked" : nil,
      ]
      return
        "- verdict seat \(seat) \(verdict) at \(([("\(lat) \(lng)")] + claims.compactMap(\.self)).joined(separator: ", "))"
    }
  }
}

extension Event {
  fileprivate var line: String {
    switch body {
    case .joined(let member): "\(number) joined \(member.place.text) \(member.nickname)"
    case .left(let place): "\(number) left \(place.text)"
    case .held(let place): "\(number) held \(place.text)"
    case .back(let place): "\(number) back \(place.text)"
    case .host(let seat?): "\(number) host seat \(seat)"
    case .host(nil): "\(number) no host"
    case .phase(.lobby): "\(number) lobby"
    case .phase(.playing(let game, let endsAtGameMs)): "\(number) game \(game) playing, to \(endsAtGameMs) ms"
    case .timeUp(let boardAtGameMs): "\(number) time up, board at \(boardAtGameMs) ms"
    case .phase(.ended(let board)): "\(number) ended, \(board.count) on the board"
    case .chat(let place, _, let text): "\(number) chat \(place.text) \(text)"
    case .kicked(let place): "\(number) kicked \(place.text) by the host"
    case .locked(true): "\(number) locked by the host"
    case .locked(false): "\(number) opened by the host"
    case .captured(let seat, .area(let m2)): "\(number) captured seat \(seat) \(m2) m²"
    case .captured(let seat, .land(let land, let time)):
      "\(number) captured seat \(seat) land \(land) in \(time.wholeMilliseconds) ms"
    }
  }
}

extension Place {
  fileprivate var text: String {
    switch self {
    case .seat(let seat): "seat \(seat)"
    case .spectator(let number): "spectator \(number)"
    }
  }
}
