// A game's course, for an operator to look through afterwards or while it is on: the room at its start, and one merged
// tick for each second.
//
// Replayed from the room's journal, on a thread that no player waits for. It decides nothing: the rules decide once
// more, and the result of an ended game must equal the stored one.
// Decisions: 041 (docs/decisions).
import ConsoleProtocol
import Game
import MadangProtocol
import Store
import WebSocket

struct GameTrack {
  /// As JSON.
  let json: [UInt8]

  private init(json: [UInt8]) { self.json = json }

  /// The largest number of requests that wait for a track, the one in work included.
  static let waitingMax = 4
  /// A longer track is refused.
  private static let trackBytesMax = 32 << 20

  /// The game in a track's path; nil for other paths.
  static func game(ofPath path: String) -> GameID? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[1] == "console", parts[2] == "games", parts[4] == "track" else { return nil }
    return GameID(String(parts[3]))
  }

  /// Answers with a game's track; waits for the store.
  static func response(for game: GameID, from store: any Store, acceptsGzip: Bool) -> HTTPResponse {
    do throws(RecordedGame.Fault) {
      let bytes = try GameTrack(game, from: store).json
      let packed = acceptsGzip ? Gzip.compress(bytes) : nil
      var response = HTTPResponse.operator(200, "application/json", packed ?? bytes)
      response.headers.append(HeaderField("Vary", "Accept-Encoding"))
      if packed != nil { response.headers.append(HeaderField("Content-Encoding", "gzip")) }
      return response
    } catch {
      return error.response
    }
  }

  init(_ id: GameID, from store: any Store) throws(RecordedGame.Fault) {
    let game = try RecordedGame(id, from: store)
    self = try game.replay { number, journal in
      let replay = try SteppedReplay(number, in: journal, isRunning: game.ended == nil)
      return try Self.gather(id, replay)
    }
  }

  private static func gather(_ id: GameID, _ begun: SteppedReplay) throws -> (GameTrack, GameResult?) {
    var replay = begun
    let state = WireRoom(replay.room, id.room, withholding: [], code: "", joinURL: "", at: replay.startedAt)
    var authors = ChatAuthors(of: replay.room.chats)
    var ticks = [UInt8(ascii: "[")]
    var tick = Tick()
    while try replay.next(into: &tick) {
      authors.append(tick.events)
      if ticks.count > 1 { ticks.append(UInt8(ascii: ",")) }
      ticks += tick.json(of: id.room)
      guard ticks.count <= trackBytesMax else { throw RecordedGame.Fault.tooLong }
    }
    ticks.append(UInt8(ascii: "]"))
    let track = FeedTrack.with {
      $0.game = id.description
      $0.mode = replay.room.configuration.mode.name
      $0.startedAtMs = replay.room.startedAt.milliseconds
      // The game may have ended since the request.
      if let result = replay.result { $0.endedAtMs = result.endedAt.milliseconds }
      $0.authors = authors.byEvent
    }
    let json = track.consoleJSON(with: ["room": state.json, "ticks": ticks])
    return (GameTrack(json: json), replay.result)
  }
}

extension RecordedGame.Fault {
  /// The operator's answer without a track.
  var response: HTTPResponse {
    switch self {
    case .notKept: .operatorText(404, "there is no such game, or its journal is no longer kept\n")
    case .otherRules(let version):
      .operatorText(404, "it was played by rules \(version), which are no longer here\n")
    case .tooLong: .operatorText(413, "it is too long to be shown\n")
    case .store(let failure): .operatorText(500, "it can't be played again: \(failure)\n")
    case .damaged(let why): .operatorText(500, "it can't be played again: \(why)\n")
    }
  }
}
