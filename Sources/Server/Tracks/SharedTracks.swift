// The games behind links, as JSON: recent ones are kept, since a link that is sent to many is opened by many.
//
// Any thread; guarded by a lock that is held for a dictionary step. Whether a link is good is asked of the store each
// time: what is kept here is never sent for a link that is revoked.
// Decisions: 156 (docs/decisions).
import Game
import Locks
import MadangProtocol
import Store
import WebSocket

final class SharedTracks: Sendable {
  /// A game as certain seats' ways make it.
  private struct Key: Hashable {
    let game: GameID
    let shown: Set<Int>
  }

  private struct Answer {
    let plain: [UInt8]
    let packed: [UInt8]?

    var byteCount: Int { plain.count + (packed?.count ?? 0) }

    func response(acceptsGzip: Bool) -> HTTPResponse {
      var response = HTTPResponse.ofLink(200, "application/json")
      response.headers.append(HeaderField("Vary", "Accept-Encoding"))
      let packed = acceptsGzip ? packed : nil
      if packed != nil { response.headers.append(HeaderField("Content-Encoding", "gzip")) }
      response.body = packed ?? plain
      return response
    }
  }

  private struct State {
    var answers: [Key: Answer] = [:]
    var bytes = 0
  }

  /// Replays games behind links. Each that waits keeps one request.
  let queue = BoundedQueue("madang.sharedTracks", waitingMax: 8)
  private let state = OrderedMutex(.leaf, State())

  /// Some tens of games. Beyond it all are replayed anew.
  static let keptBytesMax = 16 << 20

  var keptBytes: Int { state.withLock(\.bytes) }

  /// Answers with the game behind a link; waits for the store.
  func response(for token: TrackToken, from store: any Store, acceptsGzip: Bool) -> HTTPResponse {
    let shared: SharedTrack?
    do throws(StoreFailure) {
      shared = try store.sharedTrack(token.digest)
    } catch {
      return .text(503, "the game can't be read now\n")
    }
    guard let shared else { return .text(404, "no game is shared by this link\n") }
    let seats = Set(shared.game.results.filter { shared.shown.contains($0.player) }.map(\.seat))
    let key = Key(game: shared.link.game, shown: seats)
    do throws(TrackFault) {
      if let answer = kept(key) { return answer.response(acceptsGzip: acceptsGzip) }
      let answer = try replay(shared, showing: seats, from: store)
      keep(answer, as: key)
      return answer.response(acceptsGzip: acceptsGzip)
    } catch {
      if case .store = error { return .text(503, "the game can't be read now\n") }
      return .text(404, "the game is no longer kept\n")
    }
  }

  private func kept(_ key: Key) -> Answer? { state.withLock { $0.answers[key] } }

  private func keep(_ answer: Answer, as key: Key) {
    guard answer.byteCount <= Self.keptBytesMax else { return }
    state.withLock { state in
      guard state.answers[key] == nil else { return }
      if state.bytes + answer.byteCount > Self.keptBytesMax { state = State() }
      state.answers[key] = answer
      state.bytes += answer.byteCount
    }
  }

  /// Replays a game, and leaves out what others may not see of it.
  private func replay(
    _ shared: SharedTrack,
    showing seats: Set<Int>,
    from store: any Store
  ) throws(TrackFault) -> Answer {
    let course = try GameCourse(of: shared.game, from: store).shared(showing: seats)
    let board = shared.game.results.map { result in
      var row = WireBoardRow()
      row.seat = UInt32(result.seat)
      row.rank = result.givenRank.map(UInt32.init) ?? 0
      row.points = result.points
      row.won = result.won
      if seats.contains(result.seat) { row.nickname = result.nickname }
      return row
    }
    var message = WireServerMessage()
    message.gameTrack = WireGameTrack(course, board: board)
    var bytes: [UInt8] = []
    Subprotocol.json.append(message, to: &bytes)
    return Answer(plain: bytes, packed: Gzip.compress(bytes))
  }
}

extension HTTPResponse {
  /// An answer behind a link, which nobody keeps or lists.
  fileprivate static func ofLink(_ status: Int, _ type: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        HeaderField("Content-Type", type), HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"), HeaderField("Referrer-Policy", "no-referrer"),
        HeaderField("X-Robots-Tag", "noindex"),
      ]
    )
  }
}
