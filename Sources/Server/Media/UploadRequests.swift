// Uploads over HTTP: a picture whole by PUT, or in parts by HEAD and PATCH of tus 1.0 (tus.io/protocols).
//
// On the shard's queue. A ticket is all that a client shows. An answer has the error's code as JSON, the same as over a
// WebSocket.
// Decisions: 118 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

extension Media {
  /// The version of tus that is spoken.
  private static let tusVersion = "1.0.0"
  private static let partType = "application/offset+octet-stream"
  /// The time that the cleaning of a picture may take, with those before it; seconds. A client that waits longer asks
  /// by HEAD.
  private static let answerSeconds: Int64 = 110

  /// Takes the body of an upload, or refuses it.
  func admitUpload(_ request: HTTPRequest, on connection: Connection) -> BodyAdmission {
    guard request.path.count == 4, request.path[2] == "uploads", let id = UploadTicketID(request.path[3]) else {
      return .refused(refusal(PictureRefusal(.ticketNotFound)))
    }
    guard !gateway.isDraining else { return .refused(refusal(PictureRefusal(.shuttingDown))) }
    guard let folder = shared.folder else { return .refused(refusal(PictureRefusal(.mediaUnavailable))) }
    var offset: Int?
    if request.head.method == "PATCH" {
      switch Self.partOffset(request.head) {
      case .success(let start): offset = start
      case .failure(let refused): return .refused(refused.response)
      }
    }
    let length = request.head.bodyByteCount
    guard length <= Limits.uploadBytes.upperBound else { return .refused(refusal(PictureRefusal(.mediaTooLarge))) }
    guard let held = gateway.core.budgets.connections.admitFile() else {
      return .refused(refusal(PictureRefusal(.overloaded)))
    }
    switch shared.tickets.begin(id, offset: offset, length: length, at: gateway.core.now) {
    case .success(let run):
      let body = UploadBody(run, of: self, folder.file(run.file, held), on: connection)
      return .taken(body, answerSeconds: Self.answerSeconds)
    case .failure(let refused):
      return .refused(refusal(refused))
    }
  }

  /// A request of tus that breaks its rules.
  private struct TusFault: Error {
    let response: HTTPResponse
  }

  /// The offset at which a PATCH of tus goes on.
  private static func partOffset(_ head: RequestHead) -> Result<Int, TusFault> {
    func fault(_ status: Int, _ text: String) -> Result<Int, TusFault> {
      .failure(TusFault(response: .mediaError(.malformed, text, status: status, [tusField])))
    }
    guard head.values(of: "Tus-Resumable") == [tusVersion] else { return fault(412, "Tus-Resumable: 1.0.0") }
    guard head.values(of: "Content-Type").map({ $0.lowercased() }) == [partType] else {
      return fault(415, "Content-Type: \(partType)")
    }
    let offsets = head.values(of: "Upload-Offset")
    guard offsets.count == 1, offsets[0].utf8.count <= 15, offsets[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let offset = Int(offsets[0])
    else { return fault(400, "Upload-Offset: a number of bytes") }
    return .success(offset)
  }

  private static let tusField = HeaderField("Tus-Resumable", tusVersion)

  // Answers.

  func answer(_ token: UInt64, _ response: HTTPResponse) {
    gateway.core.connection(for: token)?.answer(response)
  }

  /// How far the upload of a ticket has come, and what has become of it: for who asks, or for the request that has sent
  /// the last bytes.
  func progress(of id: UploadTicketID, by run: UploadRun? = nil) -> HTTPResponse {
    guard let status = shared.tickets.status(of: id) else { return refusal(PictureRefusal(.ticketNotFound)) }
    var fields = [
      Self.tusField, HeaderField("Upload-Offset", "\(status.offset)"), HeaderField("Cache-Control", "no-store"),
    ]
    if run == nil { fields.append(HeaderField("Upload-Length", "\(status.byteCount)")) }
    switch status.outcome {
    case nil: return HTTPResponse(status: run == nil ? 200 : 204, headers: fields)
    // Clients of tus take no other answer to a part.
    case .success(let media)? where run?.isPart == true:
      return HTTPResponse(status: 204, headers: fields + [HeaderField("Media-Id", media.description)])
    case .success(let media)?: return .uploaded(media, fields)
    case .failure(let refused)?: return refusal(refused)
    }
  }

  /// The answer to a refused upload. The outcome of a ticket that is used up is left to HEAD.
  func refusal(_ refused: PictureRefusal) -> HTTPResponse {
    statistics.note(refused.code)
    var fields = [Self.tusField]
    switch refused.code {
    case .uploadRunning: fields.append(HeaderField("Retry-After", "\(UploadTickets.takeoverSeconds)"))
    case .overloaded, .storeUnavailable, .shuttingDown: fields.append(HeaderField("Retry-After", "10"))
    default: break
    }
    return .mediaError(refused.code, nil, status: refused.code.uploadStatus, fields)
  }
}

extension WireErrorCode {
  /// The status of an upload or a delivery that is refused for this.
  fileprivate var uploadStatus: Int {
    switch self {
    case .ticketNotFound: 404
    case .ticketUsed: 410
    case .uploadRunning, .uploadOffsetDiffers: 409
    case .uploadLengthDiffers: 400
    case .mediaTooLarge: 413
    case .mediaTypeRefused: 415
    case .mediaNotAPicture, .mediaTooManyPixels, .mediaDamaged: 422
    default: 503
    }
  }
}

extension HTTPResponse {
  /// The answer to an upload that has become a picture.
  fileprivate static func uploaded(_ media: MediaID, _ fields: [HeaderField]) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: fields + [
        HeaderField("Media-Id", media.description), HeaderField("Content-Type", "application/json"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: Array("{\"mediaId\":\"\(media)\"}".utf8)
    )
  }

  /// An error's code as JSON, in the form that errors have over a WebSocket.
  static func mediaError(
    _ code: WireErrorCode,
    _ text: String? = nil,
    status: Int,
    _ fields: [HeaderField] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: fields + [
        HeaderField("Content-Type", "application/json"), HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: Array("{\"error\":{\"code\":\"\(code.name)\",\"message\":\"\(text ?? code.text)\"}}".utf8)
    )
  }
}
