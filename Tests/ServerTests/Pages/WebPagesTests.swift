// Pages for browsers and their assets: types, caching, compression, and that nothing else of the disk is reachable.
import MadangProtocol
import TestSupport
import Testing

@Suite struct WebPagesTests {
  @Test("Every page has its type, may run only this server's files, and is revalidated each time")
  func pages() throws {
    let server = try TestServer()
    let room = try server.player("host").createRoom()
    for path in ["/", "/tap", "/TAP", "/capsules", "/stories", "/runs", "/me", "/offline", "/j/\(room.code)"] {
      let page = try TestHTTP.get(path, port: server.port)
      #expect(page.status == 200, "\(path)")
      #expect(page.field("Content-Type") == "text/html; charset=utf-8")
      #expect(page.field("Cache-Control") == "private, no-cache")
      #expect(page.field("X-Content-Type-Options") == "nosniff")
      #expect(page.field("Referrer-Policy") == "no-referrer")
      #expect(page.field("Permissions-Policy") == "geolocation=(self)")
      let policy = try #require(page.field("Content-Security-Policy"))
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
      #expect(!policy.contains("unsafe"))
      #expect(!page.body.contains("{{"), "\(path) has an unfilled placeholder")
      #expect(!page.body.contains("<style") && !page.body.contains("style="), "\(path) has an inline style")
    }
  }

  @Test("The page of an unknown room says so")
  func lost() throws {
    let server = try TestServer()
    let page = try TestHTTP.get("/j/\(RoomCode(drawing: 7))", port: server.port)
    #expect(page.status == 404)
    #expect(page.field("Content-Type") == "text/html; charset=utf-8")
    #expect(page.body.contains("href=\"/\""))
  }

  @Test("Everything that pages refer to exists, with its type, and may be cached for ever")
  func assets() throws {
    let server = try TestServer()
    let room = try server.player("host").createRoom()
    var types: Set<String> = []
    let game = "/g/\(String(repeating: "a", count: 26))"
    for page in [
      "/", "/tap", "/capsules", "/stories", "/runs", "/me", "/offline", game, "/j/\(room.code)", "/j/nonsense",
    ] {
      for path in try everything(behind: page, server) {
        let asset = try TestHTTP.get(path, port: server.port)
        #expect(asset.status == 200, "\(path)")
        #expect(asset.field("Cache-Control") == "public, max-age=31536000, immutable")
        #expect(asset.field("X-Content-Type-Options") == "nosniff")
        types.insert("\(path.split(separator: ".").last ?? "") \(asset.field("Content-Type") ?? "")")
      }
    }
    #expect(
      types == [
        "js text/javascript; charset=utf-8", "css text/css; charset=utf-8", "svg image/svg+xml",
        "webmanifest application/manifest+json",
      ]
    )
  }

  @Test("The first load of each page of players is under 60 KB compressed")
  func firstLoad() throws {
    let server = try TestServer()
    let game = "/g/\(String(repeating: "a", count: 26))"
    let room = "/j/\(try server.player("host").createRoom().code)"
    for page in [room, "/", "/capsules", "/stories", "/runs", "/me", game] {
      var bytes = 0
      for path in [page] + (try everything(behind: page, server)) {
        let answer = try TestHTTP.get(path, port: server.port, fields: "Accept-Encoding: gzip\r\n")
        bytes += try #require(answer.field("Content-Length").flatMap { Int($0) })
      }
      #expect(bytes > 5_000, "the page and its scripts were counted")
      #expect(bytes < 60 * 1_024, "\(page)")
    }
  }

  @Test("A client that accepts gzip gets it, others get the file itself, and HEAD gives the length of either")
  func compression() throws {
    let server = try TestServer()
    let style = try #require(try everything(behind: "/", server).first { $0.hasSuffix(".css") })
    let plain = try TestHTTP.get(style, port: server.port)
    #expect(plain.field("Content-Encoding") == nil)
    #expect(plain.field("Vary") == "Accept-Encoding")
    #expect(plain.field("Content-Length") == String(plain.bytes.count))
    for accepted in ["gzip", "br, GZIP;q=0.5", "*", "deflate, gzip;q=1.0, *;q=0"] {
      let packed = try TestHTTP.get(style, port: server.port, fields: "Accept-Encoding: \(accepted)\r\n")
      #expect(packed.field("Content-Encoding") == "gzip", "\(accepted)")
      #expect(packed.field("Vary") == "Accept-Encoding")
      #expect(packed.bytes.starts(with: [0x1F, 0x8B]))
      #expect(packed.bytes.count < plain.bytes.count)
      #expect(packed.field("ETag") != plain.field("ETag"))
      let head = try TestHTTP.get(style, port: server.port, method: "HEAD", fields: "Accept-Encoding: \(accepted)\r\n")
      #expect(head.bytes.isEmpty)
      #expect(head.field("Content-Length") == packed.field("Content-Length"))
    }
    for refused in ["", "br", "gzip;q=0", "gzip; q=0.000, *", "*;q=0"] {
      let answer = try TestHTTP.get(style, port: server.port, fields: "Accept-Encoding: \(refused)\r\n")
      #expect(answer.field("Content-Encoding") == nil, "\(refused)")
      #expect(answer.bytes == plain.bytes)
    }
  }

  @Test("A client with the current copy gets 304 without a body")
  func unchanged() throws {
    let server = try TestServer()
    let style = try #require(try everything(behind: "/", server).first { $0.hasSuffix(".css") })
    for path in ["/", style] {
      let tag = try #require(try TestHTTP.get(path, port: server.port).field("ETag"))
      for known in [tag, "\"other\", W/\(tag)", "*"] {
        let answer = try TestHTTP.get(path, port: server.port, fields: "If-None-Match: \(known)\r\n")
        #expect(answer.status == 304)
        #expect(answer.bytes.isEmpty)
        #expect(answer.field("ETag") == tag)
        #expect(answer.field("Cache-Control") != nil)
      }
      let other = try TestHTTP.get(path, port: server.port, fields: "If-None-Match: \"other\"\r\n")
      #expect(other.status == 200)
      // The compressed copy has a tag of its own.
      let packed = try TestHTTP.get(
        path,
        port: server.port,
        fields: "Accept-Encoding: gzip\r\nIf-None-Match: \(tag)\r\n"
      )
      #expect(packed.status == 200)
    }
  }

  @Test("Other versions, unknown names, a page's own file and paths out of the folder are not found")
  func nothingElse() throws {
    let server = try TestServer()
    let style = try #require(try everything(behind: "/", server).first { $0.hasSuffix(".css") })
    let parts = style.split(separator: "/")
    let version = try #require(parts.dropFirst().first)
    let name = try #require(parts.last)
    let paths = [
      "/web/0000000000000000/\(name)", "/web/\(version)", "/web/\(version)/", "/web/\(version)/none.js",
      "/web/\(version)/join.html", "/web/\(version)/../\(version)/\(name)", "/web/\(version)/..%2FWeb%2F\(name)",
      "/web/\(version)/%2e%2e/Pages.swift", "/web/../Pages.swift", "/web/\(version)//\(name)", "/web//\(name)",
      "/web/\(version)/..", "/join.html", "/\(name)",
    ]
    for path in paths {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
    #expect(try TestHTTP.get("/web/\(version)/\(name)", port: server.port).status == 200)
  }

  @Test("The version changes with a single byte of any asset, and without a web root only health is served")
  func versions() throws {
    let folder = try TestFolder()
    let pages = [
      "index", "join", "screen", "game", "tap", "capsules", "stories", "runs", "me", "reset", "lost", "offline",
      "console", "sign-in",
    ]
    for page in pages {
      try folder.write("<p>{{assets}}/a.js</p>", to: "\(page).html")
    }
    try folder.write("{{assets}}", to: "worker.template")
    try folder.write("1", to: "a.js")
    try folder.write("secret", to: ".a.js")
    try folder.write("draft", to: "a.js~")
    let before = try TestServer { $0.webRoot = folder.path }
    try folder.write("2", to: "a.js")
    let after = try TestServer { $0.webRoot = folder.path }
    let old = try TestHTTP.get("/", port: before.port).body
    let new = try TestHTTP.get("/", port: after.port).body
    #expect(old != new)
    let path = String(old.dropFirst(3).dropLast(4))
    #expect(try TestHTTP.get(path, port: before.port).body == "1")
    #expect(try TestHTTP.get(path, port: after.port).status == 404)
    let root = path.dropLast(4)
    #expect(try TestHTTP.get("\(root).a.js", port: before.port).status == 404)
    #expect(try TestHTTP.get("\(root)a.js~", port: before.port).status == 404)
    let bare = try TestServer { $0.webRoot = nil }
    #expect(try TestHTTP.get("/", port: bare.port).status == 404)
    #expect(try TestHTTP.get("/healthz", port: bare.port).status == 200)
  }

  @Test("A missing page in the web root ends the start")
  func incomplete() throws {
    let folder = try TestFolder()
    try folder.write("<p></p>", to: "index.html")
    #expect(throws: (any Error).self) { try TestServer { $0.webRoot = folder.path } }
  }

  /// The paths of all files that a browser loads for the page: those that it names, and the modules that these import.
  private func everything(behind page: String, _ server: TestServer) throws -> [String] {
    let html = try TestHTTP.get(page, port: server.port).body
    var found = html.matches(of: /"(\/web\/[0-9a-f]+\/[a-z.-]+)"/).map { String($0.output.1) }
    var index = 0
    while index < found.count {
      let path = found[index]
      index += 1
      guard path.hasSuffix(".js") else { continue }
      let folder = path.prefix(upTo: try #require(path.lastIndex(of: "/")))
      let script = try TestHTTP.get(path, port: server.port).body
      for match in script.matches(of: /from "\.(\/[a-z.-]+)"/) {
        let imported = "\(folder)\(match.output.1)"
        if !found.contains(imported) { found.append(imported) }
      }
    }
    return Array(Set(found)).sorted()
  }
}
