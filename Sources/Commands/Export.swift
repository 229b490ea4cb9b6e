// `madang export`: a finished game as a file for other programs.
import ArgumentParser
import Foundation
import Game
import Store

package struct Export: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Write a finished game as JSON or GPX.",
    discussion: """
      JSON has the board and every player's track; GPX a track for each player. Positions are those that \
      the server took, times those of their arrival. Works beside a running server.
      """
  )

  package init() {}

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, gpx
  }

  @Argument(help: "The game, as madang games lists it.")
  var game: String

  @Option(help: "json or gpx (default: by the output's ending, .json or .gpx; json on the standard output).")
  var format: Format?

  @Option(name: .shortAndLong, help: "The file to write; must not be there yet (default: the standard output).")
  var output: String?

  @OptionGroup var folder: StoreFolder

  /// The format of the output.
  private func chosenFormat() throws -> Format {
    if let format { return format }
    guard let output else { return .json }
    guard let ending = output.split(separator: "/").last?.split(separator: ".").dropFirst().last.map(String.init) else {
      return .json
    }
    guard let format = Format(rawValue: ending.lowercased()) else {
      throw ValidationError("\(output) is neither .json nor .gpx: name it so, or give --format.")
    }
    return format
  }

  package func run() async throws {
    let isGPX = try chosenFormat() == .gpx
    if let output { try NewFile.require(output) }
    let store = try folder.open()
    defer { store.close() }
    let named = try NamedGame(game, in: store)
    guard let journal = named.journal else {
      throw ValidationError("the journal of \(game) is no longer kept; madang replay shows its result.")
    }
    let exported = ExportedGame(named.stored, try GameStory(named.stored.row.id.number, in: journal))
    let text = isGPX ? exported.gpx : try exported.json
    guard let output else { return print(text) }
    try Data((text + "\n").utf8).write(to: URL(filePath: output), options: .atomic)
  }
}

/// A game in the form for other programs. The names are the wire's.
struct ExportedGame: Encodable {
  struct Player: Encodable {
    let seat: Int
    let playerId: String
    let nickname: String
    /// Absent for a first place without points, which is nobody's.
    let rank: Int?
    let points: UInt32
    let distanceM: Int64
    let timeS: Int64
    let won: Bool
    let completed: Bool
    let track: [Point]
  }

  struct Point: Encodable {
    let timeMs: Int64
    let latE7: Int32
    let lngE7: Int32
  }

  let gameId: String
  let mode: String
  let startedAtMs: Int64
  let endedAtMs: Int64
  let durationS: Int64
  let capacity: Int
  let players: [Player]

  init(_ stored: StoredGame, _ story: GameStory) {
    gameId = stored.row.id.description
    mode = stored.row.mode.name
    startedAtMs = stored.row.startedAt.milliseconds
    endedAtMs = stored.row.endedAt.milliseconds
    durationS = story.configuration.duration.wholeMilliseconds / 1_000
    capacity = story.configuration.capacity
    players = story.result.board.map { row in
      Player(
        seat: row.seat,
        playerId: row.id.description,
        nickname: row.nickname,
        rank: row.givenRank,
        points: row.points,
        distanceM: row.distanceMm / 1_000,
        timeS: row.time.wholeMilliseconds / 1_000,
        won: row.won,
        completed: row.completed,
        track: story.tracks[row.seat].map {
          Point(timeMs: $0.at.milliseconds, latE7: $0.coordinate.latE7, lngE7: $0.coordinate.lngE7)
        }
      )
    }
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  /// The game as GPX 1.1, a track for each player.
  var gpx: String {
    var file = GPXText(named: gameId, at: Instant(milliseconds: startedAtMs))
    for player in players {
      file.add(
        trackNamed: player.nickname,
        player.track.lazy.map { point in
          (Instant(milliseconds: point.timeMs), Coordinate(latE7: point.latE7, lngE7: point.lngE7))
        }
      )
    }
    return file.text
  }
}
