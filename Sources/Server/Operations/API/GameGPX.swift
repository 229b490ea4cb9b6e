// An ended game as GPX, for the API: the fixes that the server took, a track for each player.
//
// Replayed from the room's journal, on a thread that no player waits for. It decides nothing: the rules decide once
// more.
import Game
import Store
import WebSocket

struct GameGPX {
  static let mediaType = "application/gpx+xml"
  /// A longer file is refused.
  private static let textBytesMax = 32 << 20

  private let text: String

  /// Answers with a game's file; waits for the store.
  static func response(for game: GameID, from store: any Store, acceptsGzip: Bool) -> HTTPResponse {
    do throws(RecordedGame.Fault) {
      let bytes = Array((try GameGPX(game, from: store).text + "\n").utf8)
      let packed = acceptsGzip ? Gzip.compress(bytes) : nil
      var response = HTTPResponse.operator(200, mediaType, packed ?? bytes)
      response.headers.append(HeaderField("Vary", "Accept-Encoding"))
      if packed != nil { response.headers.append(HeaderField("Content-Encoding", "gzip")) }
      return response
    } catch {
      return error.response
    }
  }

  private init(_ id: GameID, from store: any Store) throws(RecordedGame.Fault) {
    let ended: StoredGame?
    do throws(StoreFailure) {
      ended = try store.game(id)
    } catch {
      throw .store(error)
    }
    guard let ended else { throw .notKept }
    text = try RecordedGame(ended: ended, from: store).replay { number, journal in
      let replay = try GameReplay(number, in: journal)
      guard replay.rulesVersion == RulesVersion.current else {
        throw RecordedGame.Fault.otherRules(replay.rulesVersion)
      }
      return try Self.text(of: ended.row, replay)
    }
  }

  private static func text(of row: GameRow, _ begun: GameReplay) throws -> (String, GameResult?) {
    var replay = begun
    var tracks: [Int: [(at: Instant, coordinate: Coordinate)]] = [:]
    var effects = Effects()
    while let (input, at) = try replay.next(into: &effects) {
      input.forEachJudgedFix(in: effects) { seat, fix, verdict in
        guard verdict == .accepted else { return }
        tracks[seat, default: []].append((fix.time ?? at, Coordinate(latE7: fix.latE7, lngE7: fix.lngE7)))
      }
    }
    var gpx = GPXText(named: row.id.description, at: row.startedAt)
    for player in replay.result?.board ?? [] {
      gpx.add(trackNamed: player.nickname, tracks[player.seat] ?? [])
      guard gpx.byteCount <= textBytesMax else { throw RecordedGame.Fault.tooLong }
    }
    return (gpx.text, replay.result)
  }
}
