// The operator's map, as all shards and the operators' listener share it: answers to requests for its tiles, its
// description and the library that draws it.
//
// Immutable; any thread may use it. Tiles are read on a thread of its own, so no shard waits for the disk.
// Decisions: 146, 147 (docs/decisions).
import Cryptography
import Gateway
import WebSocket

final class SharedMap: Sendable {
  /// The most reads of the disk that wait.
  static let waitingMax = 1_024
  /// The most bytes of an uncompressed tile, for clients that take no gzip.
  private static let plainBytesMax = 16 << 20
  /// The time for which browsers and proxies keep a tile whose address names no version; seconds.
  private static let keptSeconds = 3_600

  enum Outcome: Sendable {
    case delivered, missing, failed, busy
  }

  /// An answer, and what it is counted as; nil for what is no tile.
  struct Answer: Sendable {
    let response: HTTPResponse
    let outcome: Outcome?

    init(_ response: HTTPResponse, _ outcome: Outcome? = nil) { (self.response, self.outcome) = (response, outcome) }
  }

  private let archive: TileArchive
  private let description: MapDescription
  /// Nil where there is none.
  private let library: (path: String, file: WebFile)?
  private let disk = BoundedQueue("madang.map", waitingMax: SharedMap.waitingMax)

  /// - Throws: `StartFailure` where the map's file can't be used.
  init(_ configuration: MapConfiguration) throws(StartFailure) {
    do throws(MapFault) {
      archive = try TileArchive(configuration.file)
    } catch {
      throw StartFailure(description: "the map \(configuration.file): \(error)")
    }
    description = MapDescription(
      archive.header,
      metadata: archive.metadata,
      tiles: "/tiles/{z}/{x}/{y}?v=\(archive.version)"
    )
    library = try Self.library(configuration.library)
  }

  /// The library's path and file; nil where there is no such file.
  private static func library(_ path: String) throws(StartFailure) -> (path: String, file: WebFile)? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let (folder, name) = (WebFolder(path: String(path[..<slash])), String(path[slash...].dropFirst()))
    guard let names = try? folder.names(), names.contains(name) else { return nil }
    let script = try folder.read(name)
    let digest = Hexadecimal.encode(Digest.sha256(script)).prefix(16)
    return ("/map/\(digest)/\(name)", .asset(script, type: "text/javascript; charset=utf-8"))
  }

  /// What pages are told of it, a JSON text; nil where they can't draw it.
  var page: String? { library.map { description.page(library: $0.path) } }

  /// The reads that wait.
  var waiting: Int { disk.waiting }

  /// The description for clients that have come by `base`.
  func described(base: String) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        HeaderField("Content-Type", "application/json"), HeaderField("Cache-Control", "no-cache"),
        HeaderField("Access-Control-Allow-Origin", "*"), HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: Array(description.tileJSON(base: base).utf8)
    )
  }

  /// The library's script, for its path alone.
  func script(for head: RequestHead) -> HTTPResponse? {
    guard let library, head.path == library.path else { return nil }
    return library.file.response(to: head)
  }

  /// Answers a request for the tile of `/tiles/{z}/{x}/{y}`, at once or later, once. `path` is that behind the first
  /// component.
  func answer(
    _ path: ArraySlice<Substring>,
    of head: RequestHead,
    _ completion: @escaping @Sendable (Answer) -> Void
  ) {
    guard let address = TileAddress(path), archive.header.zooms.contains(address.zoom) else {
      return completion(Answer(.text(404, "no such tile\n"), .missing))
    }
    let packs = archive.header.hasPackedTiles && head.acceptsGzip
    let tag = "\"\(archive.version)-\(address.number)\(packs ? "-gzip" : "")\""
    let fields = headers(tag: tag, isVersioned: head.query == "v=\(archive.version)")
    guard !head.hasCopy(tagged: tag) else { return completion(Answer(HTTPResponse(status: 304, headers: fields))) }
    let isTaken = disk.run { [self] in completion(read(address, packs: packs, fields)) }
    if !isTaken { completion(Answer(.busy, .busy)) }
  }

  /// The head of an answer with the file itself, or with the part that is asked for, and that part; nil where the
  /// answer has no body.
  func file(for head: RequestHead) -> (response: HTTPResponse, part: Range<Int>?) {
    let (count, tag) = (archive.byteCount, "\"\(archive.version)\"")
    var response = HTTPResponse(
      status: 200,
      headers: [
        HeaderField("ETag", tag), HeaderField("Cache-Control", "public, max-age=\(Self.keptSeconds)"),
        HeaderField("Access-Control-Allow-Origin", "*"), HeaderField("X-Content-Type-Options", "nosniff"),
      ]
    )
    guard !head.hasCopy(tagged: tag) else {
      response.status = 304
      return (response, nil)
    }
    response.headers += [
      HeaderField("Content-Type", "application/vnd.pmtiles"), HeaderField("Accept-Ranges", "bytes"),
    ]
    var part = 0..<count
    switch ByteRange(head, byteCount: count, tag: tag) {
    case .whole: break
    case .part(let asked):
      response.status = 206
      part = asked
      let field = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
      response.headers.append(HeaderField("Content-Range", field))
    case .outside:
      var refusal = HTTPResponse.text(416, "nothing of the file is in this range\n")
      refusal.headers += [
        HeaderField("Content-Range", "bytes */\(count)"), HeaderField("Access-Control-Allow-Origin", "*"),
      ]
      return (refusal, nil)
    }
    response.followingByteCount = part.count
    return (response, part)
  }

  /// Reads a part of the file beside the shards; nil where it is damaged. What was begun is read, however many others
  /// wait.
  func read(_ part: Range<Int>, _ completion: @escaping @Sendable ([UInt8]?) -> Void) {
    disk.runAlways { [archive] in completion(try? archive.bytes(part)) }
  }

  private func headers(tag: String, isVersioned: Bool) -> [HeaderField] {
    let kept = isVersioned ? "public, max-age=31536000, immutable" : "public, max-age=\(Self.keptSeconds)"
    var fields = [
      HeaderField("ETag", tag), HeaderField("Cache-Control", kept), HeaderField("Access-Control-Allow-Origin", "*"),
      HeaderField("X-Content-Type-Options", "nosniff"),
    ]
    if archive.header.hasPackedTiles { fields.append(HeaderField("Vary", "Accept-Encoding")) }
    return fields
  }

  /// Reads a tile, on the map's thread.
  private func read(_ address: TileAddress, packs: Bool, _ fields: [HeaderField]) -> Answer {
    var response = HTTPResponse(status: 204, headers: fields)
    do throws(MapFault) {
      guard let tile = try archive.tile(address) else { return Answer(response, .missing) }
      response.status = 200
      response.headers.append(HeaderField("Content-Type", "application/vnd.mapbox-vector-tile"))
      if packs { response.headers.append(HeaderField("Content-Encoding", "gzip")) }
      response.body = tile
      guard archive.header.hasPackedTiles, !packs else { return Answer(response, .delivered) }
      guard let plain = Gzip.decompress(tile, bytesMax: Self.plainBytesMax) else { throw MapFault("a damaged tile") }
      response.body = plain
      return Answer(response, .delivered)
    } catch {
      return Answer(.text(500, "the map's file is damaged\n"), .failed)
    }
  }
}

extension HTTPResponse {
  fileprivate static let busy: HTTPResponse = {
    var response = HTTPResponse.text(503, "the map is read by many\n")
    response.headers.append(HeaderField("Retry-After", "1"))
    return response
  }()
}
