// A whole response and its bytes on the wire (RFC 9112 §4, §6). A plain value; small bodies only, kept in memory. A
// long body follows in pieces: then the value has its length. Content-Length and Connection are written only here, so
// that length and body can't disagree.

/// A status, fields and a body.
package struct HTTPResponse: Sendable, Equatable {
  /// A final status: 200 to 599.
  package var status: Int
  /// All fields but Content-Length and Connection.
  package var headers: [HeaderField]
  /// Empty for 204 and 304, which have none.
  package var body: [UInt8]
  /// The length of a body that follows in pieces; nil where `body` is all of it.
  package var followingByteCount: Int?
  /// Whether the connection ends with it.
  package var isLast = false

  package init(status: Int, headers: [HeaderField] = [], body: [UInt8] = []) {
    precondition((200...599).contains(status), "a response has a final status")
    precondition(Self.hasBody(status) || body.isEmpty, "this status has no body")
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The bytes to send.
  ///
  /// - Parameters:
  ///   - keepAlive: whether the connection stays open for another request.
  ///   - headOnly: the answer to HEAD: the same head, without the body.
  /// - Returns: status line, fields and body.
  package func serialized(keepAlive: Bool, headOnly: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
    for field in headers {
      head += "\(field.name): \(field.value)\r\n"
    }
    if Self.hasBody(status) { head += "Content-Length: \(followingByteCount ?? body.count)\r\n" }
    if !keepAlive { head += "Connection: close\r\n" }
    head += "\r\n"
    return Array(head.utf8) + (headOnly ? [] : body)
  }

  private static func hasBody(_ status: Int) -> Bool {
    status != 204 && status != 304
  }

  /// The phrase for human readers; clients use the number (RFC 9112 §4).
  package static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}
