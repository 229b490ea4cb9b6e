// The feature of the map on one shard: `GET /tiles/{z}/{x}/{y}`, its description `/map.json`, its file `/map.pmtiles`,
// and the library that draws it in pages.
//
// Owned by one shard and used on its queue. What it serves is shared by all shards and read beside them.
// Decisions: 147 (docs/decisions).
import Gateway
import Net
import WebSocket

package final class Maps: Feature {
  package unowned let gateway: ShardGateway
  private let context: ServerContext
  private let find: @Sendable (ShardCore) -> Maps
  package private(set) var statistics = MapStatistics()

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Maps) {
    self.gateway = gateway
    self.context = context
    self.find = find
    gateway.handleHTTP(
      "tiles",
      { [unowned self] in answer($0, on: $1) },
      bodies: { _, _ in .refused(HTTPFailure.methodNotAllowed.response) }
    )
    gateway.handleHTTP(
      "map.pmtiles",
      { [unowned self] in answerFile($0, on: $1) },
      bodies: { _, _ in .refused(HTTPFailure.methodNotAllowed.response) }
    )
    gateway.handleHTTP("map.json") { [unowned self] in describe($0) }
    gateway.handleHTTP("map") { context.map?.script(for: $0.head) ?? .notFound }
  }

  package static var metrics: [Metric] { Metric.ofMaps }
  package static var budgets: [Budget] { Budget.ofMaps }

  package var shards: ServiceShards<Maps> { ServiceShards(gateway.core.siblings, find) }

  package var amounts: [BudgetAmount] {
    [BudgetAmount(.waitingTiles, used: context.map?.waiting ?? 0, bound: SharedMap.waitingMax)]
  }

  private func answer(_ request: HTTPRequest, on connection: Connection) {
    guard let map = context.map else { return connection.answer(.notFound) }
    let (shard, token) = (ownShard, connection.token)
    map.answer(request.path[1...], of: request.head) { answer in
      shard.post { maps in
        if let outcome = answer.outcome { maps.statistics.count(outcome) }
        maps.gateway.core.connection(for: token)?.answer(answer.response)
      }
    }
  }

  private func answerFile(_ request: HTTPRequest, on connection: Connection) {
    guard let map = context.map, request.path.count == 1 else { return connection.answer(.notFound) }
    let (response, part) = map.file(for: request.head)
    guard let part else { return connection.answer(response) }
    BodyExchange(connection).answer(response, from: MapBytes(part, of: map, ownShard, connection.token))
  }

  private func describe(_ request: HTTPRequest) -> HTTPResponse {
    guard let map = context.map, request.path.count == 1 else { return .notFound }
    return map.described(base: context.joinBase.base(for: request.head))
  }
}

/// A part of the map's file, read piece by piece beside the shards.
private final class MapBytes: AnswerSource {
  private var part: Range<Int>
  private let map: SharedMap
  private let shard: ServiceShard<Maps>
  private let token: UInt64

  init(_ part: Range<Int>, of map: SharedMap, _ shard: ServiceShard<Maps>, _ token: UInt64) {
    (self.part, self.map, self.shard, self.token) = (part, map, shard, token)
  }

  func read(_ count: Int) {
    let piece = part.lowerBound..<part.lowerBound + count
    part = piece.upperBound..<part.upperBound
    map.read(piece) { [shard, token] bytes in
      shard.post { maps in maps.gateway.core.connection(for: token).map { BodyExchange($0).goOn(with: bytes) } }
    }
  }
}
