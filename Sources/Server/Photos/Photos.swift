// The feature of countries' photos on one shard: `GET /photo/{country}` from what is kept, with validators.
//
// Owned by one shard and used on its queue. Who asks for a photo that is being fetched waits as a parked request, for a
// bounded time; no shard waits. What is kept and what is fetched are shared by all shards.
// Decisions: 124 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import WebSocket

package final class Photos: Feature {
  /// The longest wait of a request; less than the connection's own.
  private static let waitSeconds: Int64 = 8
  /// The most requests of a shard that wait.
  private static let waitingMax = 1_024
  /// The time for which browsers and proxies keep a photo without asking; seconds.
  private static let keptSeconds = 3_600
  /// The time for which they keep that there is none.
  private static let missingSeconds = 60

  private struct Waiting {
    let country: Country
    let head: RequestHead
    let token: UInt64
    let until: Timestamp
  }

  package unowned let gateway: ShardGateway
  let shared: SharedPhotos
  private let catalogue: CountryCatalogue
  private let find: @Sendable (ShardCore) -> Photos
  package var statistics = PhotoStatistics()
  /// In the order of their ends.
  private var waiting: [Waiting] = []
  private var waitTimer: UInt64 = 0

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Photos) {
    self.gateway = gateway
    self.find = find
    shared = context.photos
    catalogue = context.countries
    waitTimer = gateway.addTimer { [unowned self] in endWaits() }
    gateway.handleHTTP(
      "photo",
      { [unowned self] in answer($0, on: $1) },
      bodies: { _, _ in .refused(HTTPFailure.methodNotAllowed.response) }
    )
  }

  package static var metrics: [Metric] { Metric.ofPhotos }
  package static var budgets: [Budget] { Budget.ofPhotos }

  package var shards: ServiceShards<Photos> { ServiceShards(gateway.core.siblings, find) }

  // Requests.

  private func answer(_ request: HTTPRequest, on connection: Connection) {
    guard shared.areServed, request.path.count == 2, let code = CountryCode(request.path[1].uppercased()),
      let country = catalogue[code]
    else { return connection.answer(.notFound) }
    let charge = Charge(budget: .photosOfAddress, payer: .address(request.address.ip))
    if let waitMs = gateway.budgets.pay(charge, at: gateway.core.now) {
      return connection.answer(.later(429, "too many photos", seconds: (Int(waitMs) + 999) / 1_000))
    }
    let (own, all) = (ownShard, shards)
    let asked = shared.ask(for: country) { isNew in
      own.post { if isNew { $0.statistics.fetched += 1 } else { $0.statistics.failures += 1 } }
      all.postToAll { $0.ended(code) }
    }
    switch asked {
    case .kept(let photo): send(photo, of: country, to: request.head, on: connection)
    case .missing: answerMissing(on: connection)
    case .busy: connection.answer(.busy)
    case .awaited: park(country, request.head, on: connection)
    }
  }

  private func park(_ country: Country, _ head: RequestHead, on connection: Connection) {
    guard waiting.count < Self.waitingMax else { return connection.answer(.busy) }
    let until = gateway.core.now.advanced(seconds: Self.waitSeconds)
    if waiting.isEmpty { _ = gateway.core.setTimer(waitTimer, at: until) }
    waiting.append(Waiting(country: country, head: head, token: connection.token, until: until))
  }

  /// A country's photo has come, or has not.
  private func ended(_ code: CountryCode) {
    let answered = waiting.filter { $0.country.code == code }
    waiting.removeAll { $0.country.code == code }
    for waiting in answered {
      guard let connection = gateway.core.connection(for: waiting.token) else { continue }
      if let photo = shared.photo(of: code) {
        send(photo, of: waiting.country, to: waiting.head, on: connection)
      } else {
        answerMissing(on: connection)
      }
    }
  }

  /// Answers those who have waited for long: the photo comes later.
  private func endWaits() {
    let now = gateway.core.now
    let late = waiting.prefix { $0.until <= now }
    waiting.removeFirst(late.count)
    if let next = waiting.first { _ = gateway.core.setTimer(waitTimer, at: next.until) }
    for waiting in late { gateway.core.connection(for: waiting.token)?.answer(.busy) }
  }

  private func answerMissing(on connection: Connection) {
    statistics.missing += 1
    var response = HTTPResponse.text(404, "no photo of this country\n")
    response.headers.removeAll { $0.name == "Cache-Control" }
    response.headers.append(HeaderField("Cache-Control", "public, max-age=\(Self.missingSeconds)"))
    connection.answer(response)
  }

  private func send(_ photo: KeptPhoto, of country: Country, to head: RequestHead, on connection: Connection) {
    guard !head.hasCopy(tagged: photo.tag) else {
      return connection.answer(HTTPResponse(status: 304, headers: Self.headers(of: photo)))
    }
    guard let held = gateway.core.budgets.connections.admitFile() else { return connection.answer(.busy) }
    let (shard, token) = (ownShard, connection.token)
    let isTaken = shared.open(country.code) { file in
      shard.post { photos in
        guard let connection = photos.gateway.core.connection(for: token) else { return }
        // Somebody has emptied the folder.
        guard let file else { return connection.answer(.busy) }
        photos.send(file, held, on: connection)
      }
    }
    if !isTaken { connection.answer(.busy) }
  }

  private func send(_ file: PhotoFile, _ held: HeldFile, on connection: Connection) {
    statistics.delivered += 1
    var response = HTTPResponse(status: 200, headers: Self.headers(of: file.photo))
    response.headers += [
      HeaderField("Content-Type", file.photo.type.name), HeaderField("Content-Security-Policy", "default-src 'none'"),
    ]
    response.followingByteCount = file.photo.byteCount
    BodyExchange(connection).answer(response, from: PhotoBytes(file, held, shared, ownShard, connection.token))
  }

  /// The fields of an answer with a photo, also where the client has it already.
  private static func headers(of photo: KeptPhoto) -> [HeaderField] {
    var fields = [
      HeaderField("ETag", photo.tag), HeaderField("Cache-Control", "public, max-age=\(keptSeconds)"),
      HeaderField("X-Content-Type-Options", "nosniff"),
    ]
    if !photo.attribution.isEmpty {
      fields.append(HeaderField("Photo-Attribution", PhotoAttribution.displayString(photo.attribution)))
    }
    return fields
  }
}

extension HTTPResponse {
  fileprivate static let busy = HTTPResponse.later(503, "the photo comes later", seconds: 5)

  fileprivate static func later(_ status: Int, _ text: String, seconds: Int) -> HTTPResponse {
    var response = HTTPResponse.text(status, "\(text)\n")
    response.headers.append(HeaderField("Retry-After", "\(seconds)"))
    return response
  }
}

/// The bytes of a photo, read piece by piece beside the shards.
private final class PhotoBytes: AnswerSource {
  private let file: PhotoFile
  private let held: HeldFile
  private let shared: SharedPhotos
  private let shard: ServiceShard<Photos>
  private let token: UInt64
  private var offset = 0

  init(
    _ file: PhotoFile,
    _ held: HeldFile,
    _ shared: SharedPhotos,
    _ shard: ServiceShard<Photos>,
    _ token: UInt64
  ) {
    (self.file, self.held, self.shared, self.shard, self.token) = (file, held, shared, shard, token)
  }

  func read(_ count: Int) {
    let piece = offset..<offset + count
    offset = piece.upperBound
    shared.read(piece, of: file) { [shard, token] bytes in
      shard.post { photos in
        photos.gateway.core.connection(for: token).map {
          BodyExchange($0).goOn(with: bytes.count == count ? bytes : nil)
        }
      }
    }
  }
}
