// Pictures over HTTP: by signed addresses, in ranges, with validators.
//
// On the shard's queue; the store is asked on others. A picture leaves in pieces, so none is in memory as a whole.
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

extension Media {
  /// Answers a request without a body: for a picture, or for how far an upload has come.
  func answer(_ request: HTTPRequest, on connection: Connection) {
    let path = request.path
    if path.count == 4, path[2] == "uploads" {
      // Only tus asks for an upload, by HEAD.
      let id = request.head.method == "HEAD" ? UploadTicketID(path[3]) : nil
      let response = id.map { progress(of: $0) } ?? refusal(PictureRefusal(.ticketNotFound))
      return connection.answer(response)
    }
    guard let address = shared.addresses.address(path[2...], query: request.head.query) else {
      return connection.answer(.mediaError(.mediaAddressInvalid, status: path.count == 4 ? 403 : 404))
    }
    let leftS = address.expiresS - gateway.now.milliseconds / 1_000
    guard leftS > 0 else { return connection.answer(.mediaError(.mediaAddressExpired, status: 403)) }
    deliver(address, forSeconds: leftS, to: request.head, connection.token)
  }

  private func deliver(
    _ address: MediaAddresses.Address,
    forSeconds leftS: Int64,
    to head: RequestHead,
    _ token: UInt64
  ) {
    guard let held = gateway.core.budgets.connections.admitFile() else {
      return answer(token, refusal(PictureRefusal(.overloaded)))
    }
    let (shard, store) = (ownShard, gateway.context.store)
    let answer: @Sendable (StoredMedia?, (any OpenBlob)?, StoreFailure?) -> Void = { stored, blob, failure in
      shard.post { media in
        guard let connection = media.gateway.core.connection(for: token) else { return }
        guard failure == nil else { return connection.answer(media.refusal(PictureRefusal(.storeUnavailable))) }
        // A picture that nothing refers to any more is seen by nobody.
        guard let stored, let blob else { return connection.answer(.mediaError(.mediaNotFound, status: 404)) }
        media.send(blob, held, of: stored, address, forSeconds: leftS, to: head, on: connection)
      }
    }
    store.usedMedia(address.media) { found in
      switch found {
      case .success(let stored?):
        store.openBlob(BlobName(stored.digest, address.size)) { opened in
          switch opened {
          case .success(let blob): answer(stored, blob, nil)
          case .failure(let failure): answer(stored, nil, failure)
          }
        }
      case .success(nil): answer(nil, nil, nil)
      case .failure(let failure): answer(nil, nil, failure)
      }
    }
  }

  private func send(
    _ blob: any OpenBlob,
    _ held: HeldFile,
    of stored: StoredMedia,
    _ address: MediaAddresses.Address,
    forSeconds leftS: Int64,
    to head: RequestHead,
    on connection: Connection
  ) {
    let tag = "\"\(stored.id)-\(address.size.rawValue)\""
    var response = HTTPResponse(
      status: 200,
      headers: [
        HeaderField("ETag", tag), HeaderField("Cache-Control", "private, max-age=\(leftS), immutable"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ]
    )
    guard !head.hasCopy(tagged: tag) else {
      response.status = 304
      return connection.answer(response)
    }
    response.headers += [
      HeaderField("Content-Type", stored.type.of(address.size).name), HeaderField("Accept-Ranges", "bytes"),
      HeaderField("Content-Security-Policy", "default-src 'none'"),
    ]
    var range = 0..<blob.byteCount
    switch ByteRange(head, byteCount: blob.byteCount, tag: tag) {
    case .whole: break
    case .part(let part):
      response.status = 206
      response.headers.append(
        HeaderField("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(blob.byteCount)")
      )
      range = part
    case .outside:
      var refusal = HTTPResponse.text(416, "nothing of the picture is in this range\n")
      refusal.headers.append(HeaderField("Content-Range", "bytes */\(blob.byteCount)"))
      return connection.answer(refusal)
    }
    statistics.delivered += 1
    response.followingByteCount = range.count
    BodyExchange(connection).answer(response, from: BlobSource(blob, held, range, ownShard, connection.token))
  }
}

/// The bytes of a blob, read piece by piece beside the shards.
private final class BlobSource: AnswerSource {
  private let blob: any OpenBlob
  private let held: HeldFile
  private var range: Range<Int>
  private let shard: ServiceShard<Media>
  private let token: UInt64

  init(
    _ blob: any OpenBlob,
    _ held: HeldFile,
    _ range: Range<Int>,
    _ shard: ServiceShard<Media>,
    _ token: UInt64
  ) {
    (self.blob, self.held, self.range, self.shard, self.token) = (blob, held, range, shard, token)
  }

  func read(_ count: Int) {
    let piece = range.lowerBound..<range.lowerBound + count
    range = piece.upperBound..<range.upperBound
    blob.read(piece) { [shard, token] bytes in
      shard.post { media in
        media.gateway.core.connection(for: token).map { BodyExchange($0).goOn(with: try? bytes.get()) }
      }
    }
  }
}
