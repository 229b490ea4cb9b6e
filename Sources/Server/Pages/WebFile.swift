// A page or a file for browsers, ready to send: plain and compressed, with its tags for browsers.
//
// Immutable; any thread may hold it. Made once at the start, except for the pages of rooms.
import Cryptography
import WebSocket

struct WebFile: Sendable {
  private let fields: [HeaderField]
  private let plain: [UInt8]
  /// Nil where compression gains nothing.
  private let packed: [UInt8]?
  private let digest: String

  private init(_ bytes: [UInt8], _ fields: [HeaderField]) {
    self.fields = fields
    plain = bytes
    packed = Gzip.compress(bytes)
    digest = String(Hexadecimal.encode(Digest.sha256(bytes)).prefix(16))
  }

  /// An asset of pages. Its URL changes with its content, so it may be kept for ever.
  static func asset(_ bytes: [UInt8], type: String) -> WebFile {
    WebFile(
      bytes,
      [
        HeaderField("Content-Type", type),
        HeaderField("Cache-Control", "public, max-age=31536000, immutable"),
        HeaderField("X-Content-Type-Options", "nosniff"),
      ]
    )
  }

  /// A page, requested anew each time, because it names the present assets.
  static func page(_ html: String, drawsMap: Bool = false) -> WebFile {
    WebFile(
      Array(html.utf8),
      [
        HeaderField("Content-Type", "text/html; charset=utf-8"),
        HeaderField("Cache-Control", "no-cache"),
        HeaderField("X-Content-Type-Options", "nosniff"),
        HeaderField("Content-Security-Policy", contentPolicy(drawsMap: drawsMap, isInstalled: true)),
        HeaderField("Referrer-Policy", "no-referrer"),
        HeaderField("Permissions-Policy", "geolocation=(self)"),
      ]
    )
  }

  /// A page behind a secret link: no cache keeps it, and no search engine lists it.
  static func linkPage(_ html: String, drawsMap: Bool = false) -> WebFile {
    WebFile(
      Array(html.utf8),
      [
        HeaderField("Content-Type", "text/html; charset=utf-8"),
        HeaderField("Cache-Control", "no-store"),
        HeaderField("X-Content-Type-Options", "nosniff"),
        HeaderField("Content-Security-Policy", contentPolicy(drawsMap: drawsMap)),
        HeaderField("Referrer-Policy", "no-referrer"),
        HeaderField("X-Robots-Tag", "noindex"),
      ]
    )
  }

  /// The script of the service worker. Its address stays, so it is requested anew each time; it loads our own files.
  static func worker(_ script: String) -> WebFile {
    WebFile(
      Array(script.utf8),
      [
        HeaderField("Content-Type", "text/javascript; charset=utf-8"),
        HeaderField("Cache-Control", "no-cache"),
        HeaderField("X-Content-Type-Options", "nosniff"),
        HeaderField("Content-Security-Policy", "default-src 'none'; connect-src 'self'"),
      ]
    )
  }

  /// The operators' page; no cache keeps it.
  static func consolePage(_ html: String, drawsMap: Bool = false) -> WebFile {
    let fields = HTTPResponse.operatorHeaders.filter { $0.name != "Content-Security-Policy" }
    return WebFile(
      Array(html.utf8),
      [
        HeaderField("Content-Type", "text/html; charset=utf-8"),
        HeaderField("Content-Security-Policy", contentPolicy(drawsMap: drawsMap)),
      ] + fields
    )
  }

  /// Scripts, styles and the manifest are our own files; nothing else runs or is loaded. Only a page that can be
  /// installed has a manifest. The library that draws maps begins its worker from a text of its own.
  private static func contentPolicy(drawsMap: Bool, isInstalled: Bool = false) -> String {
    """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'\
    \(isInstalled ? "; manifest-src 'self'" : "")\(drawsMap ? "; worker-src 'self' blob:" : "")
    """
  }

  /// The answer to `head`: compressed for clients that accept that, and only "the same" for a client with a copy.
  func response(to head: RequestHead, status: Int = 200) -> HTTPResponse {
    var fields = fields
    if packed != nil { fields.append(HeaderField("Vary", "Accept-Encoding")) }
    let packed = head.acceptsGzip ? packed : nil
    // Two encodings are two answers, and tags distinguish them.
    let tag = "\"\(digest)\(packed == nil ? "" : "-gzip")\""
    fields.append(HeaderField("ETag", tag))
    if status == 200, head.hasCopy(tagged: tag) { return HTTPResponse(status: 304, headers: fields) }
    if packed != nil { fields.append(HeaderField("Content-Encoding", "gzip")) }
    return HTTPResponse(status: status, headers: fields, body: packed ?? plain)
  }
}
