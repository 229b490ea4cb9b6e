// Answers to operators' browsers, which the console's page and the operators' listener share.
import Net
import WebSocket

extension HTTPResponse {
  /// The headers of every answer to an operator's browser: store nothing, guess no type, tell no other page.
  static let operatorHeaders = [
    HeaderField("Cache-Control", "no-store"),
    HeaderField("X-Content-Type-Options", "nosniff"),
    HeaderField("Referrer-Policy", "no-referrer"),
    HeaderField("Cross-Origin-Resource-Policy", "same-origin"),
    HeaderField("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
  ]

  static func `operator`(_ status: Int, _ contentType: String, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: status, headers: [HeaderField("Content-Type", contentType)] + operatorHeaders, body: body)
  }

  /// The response as the connection's last: a client without a proof holds none of the few places.
  var last: HTTPResponse {
    var response = self
    response.isLast = true
    return response
  }

  static func operatorText(_ status: Int, _ text: String) -> HTTPResponse {
    .operator(status, "text/plain; charset=utf-8", Array(text.utf8))
  }

  static var operatorNotFound: HTTPResponse { operatorText(404, "not found\n") }
}
