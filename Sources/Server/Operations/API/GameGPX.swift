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
  private static let bytesMax = 32 << 20

  private let bytes: [UInt8]

  /// Answers with a game's file; waits for the store.
  static func response(for game: GameID, from store: any Store, acceptsGzip: Bool) -> HTTPResponse {
    do throws(RecordedGame.Fault) {
      let bytes = try GameGPX(game, from: store).bytes
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
    bytes = try RecordedGame(ended: ended, from: store).replay { number, journal in
      let replay = try GameReplay(number, in: journal)
      guard replay.rulesVersion == RulesVersion.current else {
        throw RecordedGame.Fault.otherRules(replay.rulesVersion)
      }
      let tracks = try GameTracks(replay)
      return (try Self.bytes(of: ended.row, tracks), tracks.result)
    }
  }

  private static func bytes(of row: GameRow, _ tracks: GameTracks) throws(RecordedGame.Fault) -> [UInt8] {
    var bytes = Array(GPXText.begin(named: row.id.description, at: row.startedAt).utf8)
    for player in tracks.result.board {
      bytes += GPXText.beginTrack(named: player.nickname).utf8
      for point in tracks.points[player.seat] {
        bytes += GPXText.point(point).utf8
        guard bytes.count <= bytesMax else { throw .tooLong }
      }
      bytes += GPXText.endTrack.utf8
    }
    return bytes + GPXText.end.utf8
  }
}
