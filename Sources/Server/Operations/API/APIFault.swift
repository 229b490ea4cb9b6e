// The reason why the API does not do something, and its answer: a problem of RFC 9457. Values.
// Decisions: 138 (docs/decisions).
import ConsoleProtocol
import WebSocket

struct APIFault: Error, Sendable, Equatable {
  let status: Int
  /// Its name, for programs.
  let code: String
  /// In English.
  let detail: String
  /// Fields beside those of every problem.
  var headers: [HeaderField] = []
  /// The connection ends with it: a client without a proof holds none of the few places.
  var isLast = false

  init(_ status: Int, _ code: String, _ detail: String, headers: [HeaderField] = []) {
    self.status = status
    self.code = code
    self.detail = detail
    self.headers = headers
  }
}

extension APIFault {
  static func invalid(_ detail: String) -> APIFault { APIFault(400, "INVALID", detail) }

  static func notFound(_ detail: String) -> APIFault { APIFault(404, "NOT_FOUND", detail) }

  static func tooOften(_ code: String, _ detail: String, waitMs: UInt32) -> APIFault {
    APIFault(429, code, detail, headers: [HeaderField("Retry-After", "\(waitMs / 1_000 + 1)")])
  }

  static func busy(_ detail: String) -> APIFault {
    APIFault(503, "BUSY", detail, headers: [HeaderField("Retry-After", "1")])
  }

  /// A refusal of the listener's, in the API's form.
  init(_ response: HTTPResponse) {
    let code =
      switch response.status {
      case 401: "UNAUTHORIZED"
      case 403: "NOT_FROM_HERE"
      case 429: "TOO_MANY_WRONG_TOKENS"
      case 404: "NOT_FOUND"
      case 413: "TOO_LONG"
      case 503: "BUSY"
      default: "FAILED"
      }
    let detail = response.status == 401 ? "send a token: Authorization: Bearer TOKEN" : Self.line(response.body)
    let kept = ["WWW-Authenticate", "Retry-After"]
    self.init(response.status, code, detail, headers: response.headers.filter { kept.contains($0.name) })
    isLast = response.isLast
  }

  private static func line(_ body: [UInt8]) -> String {
    String(decoding: body.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The refusal of an act, whatever asked for it.
  init(refusal reply: FeedReply) {
    guard reply.hasCode else {
      self.init(409, "CONFLICT", reply.error)
      return
    }
    let status =
      switch reply.code {
      case "INVALID": 400
      case "SIGNED_OUT": 401
      case "ROLE_TOO_LOW": 403
      case "STORE_UNAVAILABLE", "BUSY", "SERVER_ENDING": 503
      case "SEASON_NOT_RUNNING", "OPERATOR_EXISTS", "CONFLICT": 409
      case let code where code.hasSuffix("_NOT_FOUND") || code == "PLAYER_NOT_HERE": 404
      case let code where code.hasPrefix("TOO_MANY_"): 409
      // What was offered is sound JSON of no sound thing.
      default: 422
      }
    self.init(status, reply.code, reply.error, headers: status == 503 ? [HeaderField("Retry-After", "1")] : [])
  }

  var response: HTTPResponse {
    let problem = FeedProblem.with {
      $0.type = "about:blank"
      $0.title = HTTPResponse.phrase(status)
      $0.status = Int32(status)
      $0.detail = detail
      $0.code = code
    }
    var response = HTTPResponse.operator(status, "application/problem+json", problem.consoleJSON)
    response.headers += headers
    response.isLast = isLast
    return response
  }
}
