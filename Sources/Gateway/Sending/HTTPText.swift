// Plain answers over HTTP.
import WebSocket

extension HTTPResponse {
  package static func text(_ status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        HeaderField("Content-Type", "text/plain; charset=utf-8"), HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ],
      body: Array(text.utf8)
    )
  }

  package static let notFound = HTTPResponse.text(404, "not found\n")
}
