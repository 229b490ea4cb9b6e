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
    let text = try TextOutput(output)
    let store = try folder.open()
    defer { store.close() }
    let named = try NamedGame(game, in: store)
    guard let journal = named.journal else {
      throw ValidationError("the journal of \(game) is no longer kept; madang replay shows its result.")
    }
    let exported = ExportedGame(named.stored, try GameTracks(named.stored.row.id.number, in: journal))
    if isGPX { try exported.writeGPX(to: text) } else { try exported.writeJSON(to: text) }
    try text.finish()
  }
}

/// A game in the form for other programs. The names are the wire's. Its tracks may be long, so they are written point
/// by point.
struct ExportedGame {
  /// The members of the game's object before its players.
  private struct Game: Encodable {
    let gameId: String
    let mode: String
    let startedAtMs: Int64
    let endedAtMs: Int64
    let durationS: Int64
    let capacity: Int
  }

  /// The members of a player's object before the track.
  private struct Player: Encodable {
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

    init(_ row: BoardRow) {
      seat = row.seat
      playerId = row.id.description
      nickname = row.nickname
      rank = row.givenRank
      points = row.points
      distanceM = row.distanceMm / 1_000
      timeS = row.time.wholeMilliseconds / 1_000
      (won, completed) = (row.won, row.completed)
    }
  }

  struct Point: Encodable {
    let timeMs: Int64
    let latE7: Int32
    let lngE7: Int32

    init(_ point: GameTracks.Point) {
      timeMs = point.at.milliseconds
      (latE7, lngE7) = (point.coordinate.latE7, point.coordinate.lngE7)
    }
  }

  private let row: GameRow
  private let tracks: GameTracks

  init(_ stored: StoredGame, _ tracks: GameTracks) {
    (row, self.tracks) = (stored.row, tracks)
  }

  func writeJSON(to output: TextOutput) throws {
    let game = Game(
      gameId: row.id.description,
      mode: row.mode.name,
      startedAtMs: row.startedAt.milliseconds,
      endedAtMs: row.endedAt.milliseconds,
      durationS: tracks.configuration.duration.wholeMilliseconds / 1_000,
      capacity: tracks.configuration.capacity
    )
    try output.write(Self.opened(game, upTo: "players"))
    for (place, player) in tracks.result.board.enumerated() {
      try output.write((place == 0 ? "" : ",") + Self.opened(Player(player), upTo: "track"))
      for (index, point) in tracks.points[player.seat].lazy.map(Point.init).enumerated() {
        let comma = index == 0 ? "" : ","
        try output.write(#"\#(comma){"latE7":\#(point.latE7),"lngE7":\#(point.lngE7),"timeMs":\#(point.timeMs)}"#)
      }
      try output.write("]}")
    }
    try output.write("]}\n")
  }

  /// An object of JSON that goes on with a list as its last member.
  private static func opened(_ object: some Encodable, upTo list: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(object), as: UTF8.self)
    return #"\#(text.dropLast()),"\#(list)":["#
  }

  /// The game as GPX 1.1, a track for each player.
  func writeGPX(to output: TextOutput) throws {
    try output.write(GPXText.begin(named: row.id.description, at: row.startedAt))
    for player in tracks.result.board {
      try output.write(GPXText.beginTrack(named: player.nickname))
      for point in tracks.points[player.seat] { try output.write(GPXText.point(point)) }
      try output.write(GPXText.endTrack)
    }
    try output.write(GPXText.end)
  }
}
