// The map over real sockets: tiles, their description, the library, and what pages are told.
import Server
import TestSupport
import Testing
import WebSocket

@Suite struct MapsTests {
  private let folder: TestFolder
  private let map: MadeUpMap

  init() throws {
    folder = try TestFolder()
    map = try MadeUpMap.world()
    try folder.write(map.bytes, to: "map.pmtiles")
    try folder.write(String(repeating: "draw();", count: 100), to: "library.js")
  }

  private func configure(_ configuration: inout ServerConfiguration) {
    configuration.map = MapConfiguration(file: folder.file("map.pmtiles"), library: folder.file("library.js"))
  }

  private static let gzip = "Accept-Encoding: gzip\r\n"

  @Test("Tiles go out as they are in the file, with a tag, and unpacked for those who take no gzip")
  func tiles() throws {
    let server = try TestServer(configure)
    for (address, bytes) in map.tiles {
      let path = "/tiles/\(address.zoom)/\(address.column)/\(address.row)"
      let packed = try TestHTTP.get(path, port: server.port, fields: Self.gzip)
      #expect(packed.status == 200)
      #expect(packed.bytes == bytes)
      #expect(packed.field("Content-Encoding") == "gzip")
      #expect(packed.field("Content-Type") == "application/vnd.mapbox-vector-tile")
      #expect(packed.field("Cache-Control") == "public, max-age=3600")
      let plain = try TestHTTP.get(path, port: server.port)
      #expect(plain.body == MadeUpMap.text(of: address))
      #expect(plain.field("Content-Encoding") == nil)
      #expect(plain.field("Vary") == "Accept-Encoding")
      let tag = try #require(packed.field("ETag"))
      #expect(tag != plain.field("ETag"))
      let known = try TestHTTP.get(path, port: server.port, fields: "\(Self.gzip)If-None-Match: \(tag)\r\n")
      #expect(known.status == 304)
      #expect(known.bytes.isEmpty)
    }
    let head = try TestHTTP.get("/tiles/1/1/0", port: server.port, method: "HEAD", fields: Self.gzip)
    #expect(head.status == 200)
    #expect(head.bytes.isEmpty && head.field("Content-Length") != "0")
  }

  @Test("Tiles that are not there are told from tiles that can't be")
  func missing() throws {
    var map = map
    map.tiles.removeAll { $0.address.zoom == 2 }
    try folder.write(map.bytes, to: "map.pmtiles")
    let server = try TestServer(configure)
    let empty = try TestHTTP.get("/tiles/2/1/1", port: server.port)
    #expect(empty.status == 204)
    #expect(empty.bytes.isEmpty)
    for path in [
      "/tiles", "/tiles/", "/tiles/0/0", "/tiles/0/0/0/0", "/tiles/0/0/1", "/tiles/4/0/0", "/tiles/-1/0/0",
      "/tiles/0/0/00", "/tiles/00/0/0", "/tiles/0/0/x", "/tiles/2/1/9999999999999999999999", "/tiles/%30/0/0",
    ] {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
    let put = "PUT /tiles/0/0/0 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    #expect(try TestHTTP.send(put, port: server.port).status == 405)
  }

  @Test("The description has the map's own figures, by the host that was asked")
  func description() throws {
    let server = try TestServer(configure)
    let request = "GET /map.json HTTP/1.1\r\nHost: play.example.org\r\nConnection: close\r\n\r\n"
    let answer = try TestHTTP.send(request, port: server.port)
    #expect(answer.field("Content-Type") == "application/json")
    let tiles = try #require(answer.body.firstMatch(of: #/"tiles":\["http://play.example.org(/tiles/[^"]*)"\]/#)).output
      .1
    #expect(answer.body.contains(#""minzoom":0,"maxzoom":3,"bounds":[-1.0000000,-2.0000000,3.0000000,4.0000000]"#))
    #expect(answer.body.contains(#""center":[0.5000000,-0.1234567,3],"attribution":"© Makers & friends"}"#))
    // An address with the map's version may be kept for ever, one with another version not.
    let path = String(tiles).replacing("{z}/{x}/{y}", with: "1/1/1")
    let tile = try TestHTTP.get(path, port: server.port)
    #expect(tile.field("Cache-Control") == "public, max-age=31536000, immutable")
    #expect(try TestHTTP.get("\(path)0", port: server.port).field("Cache-Control") == "public, max-age=3600")
    #expect(try TestHTTP.get("/map.json/x", port: server.port).status == 404)
  }

  @Test("A room's page is told of the map and may begin its worker, and the library may be kept for ever")
  func pages() throws {
    let server = try TestServer(configure)
    let room = try server.player("host").createRoom()
    let page = try TestHTTP.get("/j/\(room.code)", port: server.port)
    let policy = try #require(page.field("Content-Security-Policy"))
    #expect(policy.hasSuffix("; worker-src 'self' blob:"))
    #expect(!policy.contains("unsafe") && !page.body.contains("{{"))
    let told = try #require(page.body.firstMatch(of: /data-map="([^"]*)"/)).output.1.replacing("&quot;", with: "\"")
    #expect(told.contains(#""latE7":-1234567,"lngE7":5000000,"attribution":"© Makers &amp; friends"}"#))
    let library = try #require(told.firstMatch(of: /"library":"([^"]*)"/)).output.1
    let script = try TestHTTP.get(String(library), port: server.port, fields: Self.gzip)
    #expect(script.status == 200)
    #expect(script.field("Content-Type") == "text/javascript; charset=utf-8")
    #expect(script.field("Content-Encoding") == "gzip")
    #expect(script.field("Cache-Control") == "public, max-age=31536000, immutable")
    for path in ["/map", "/map/", "/map/0/library.js", "\(library)/x"] {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
    // A past game's ways lie on it.
    let records = try TestHTTP.get("/me", port: server.port)
    #expect(records.body.contains("data-map=") && records.field("Content-Security-Policy") == policy)
    // Pages without a map have the stricter rule.
    #expect(try TestHTTP.get("/", port: server.port).field("Content-Security-Policy")?.contains("worker") == false)
  }

  @Test("Without the library pages are as without a map, and tiles are there for others")
  func withoutLibrary() throws {
    let server = try TestServer {
      $0.map = MapConfiguration(file: folder.file("map.pmtiles"), library: folder.file("none.js"))
    }
    let room = try server.player("host").createRoom()
    let page = try TestHTTP.get("/j/\(room.code)", port: server.port)
    #expect(!page.body.contains("data-map") && !page.body.contains("{{"))
    #expect(page.field("Content-Security-Policy")?.contains("worker") == false)
    #expect(try TestHTTP.get("/tiles/0/0/0", port: server.port).status == 200)
  }

  @Test("Without a map there is nothing")
  func without() throws {
    let server = try TestServer()
    for path in ["/tiles/0/0/0", "/map.json", "/map.pmtiles", "/map/0/library.js"] {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
  }

  @Test("The file itself goes out whole and by ranges")
  func file() throws {
    let server = try TestServer(configure)
    let whole = map.bytes
    let answer = try TestHTTP.get("/map.pmtiles", port: server.port)
    #expect(answer.status == 200)
    #expect(answer.bytes == whole)
    #expect(answer.field("Accept-Ranges") == "bytes")
    let tag = try #require(answer.field("ETag"))
    for range in [0..<127, 5..<6, whole.count - 9..<whole.count] {
      let field = "Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)\r\nIf-Range: \(tag)\r\n"
      let part = try TestHTTP.get("/map.pmtiles", port: server.port, fields: field)
      #expect(part.status == 206)
      #expect(part.field("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)")
      #expect(part.bytes == Array(whole[range]))
    }
    let outside = "Range: bytes=\(whole.count)-\r\n"
    let refused = try TestHTTP.get("/map.pmtiles", port: server.port, fields: outside)
    #expect(refused.status == 416 && refused.field("Content-Range") == "bytes */\(whole.count)")
    #expect(refused.field("Access-Control-Allow-Origin") == "*")
    // Ranges are of GET alone (RFC 9110, 14.2).
    let head = try TestHTTP.get("/map.pmtiles", port: server.port, method: "HEAD", fields: "Range: bytes=0-9\r\n")
    #expect(head.status == 200 && head.field("Content-Length") == "\(whole.count)")
    #expect(try TestHTTP.get("/map.pmtiles", port: server.port, fields: "If-None-Match: \(tag)\r\n").status == 304)
    #expect(try TestHTTP.get("/map.pmtiles/x", port: server.port).status == 404)
  }

  @Test("Operators see the map on their own listener, and strangers do not")
  func operators() throws {
    let operators = try TestOperators(configure)
    let page = try operators.get("/", TestOperators.bearer)
    #expect(page.field("Content-Security-Policy")?.hasSuffix("; worker-src 'self' blob:") == true)
    let told = try #require(page.body.firstMatch(of: /data-map="([^"]*)"/)).output.1.replacing("&quot;", with: "\"")
    let library = try #require(told.firstMatch(of: /"library":"([^"]*)"/)).output.1
    for path in ["/tiles/0/0/0", String(library)] {
      #expect(try operators.get(path, TestOperators.bearer).status == 200, "\(path)")
      #expect(try operators.get(path).status == 401, "\(path)")
    }
    #expect(try operators.get("/tiles/9/0/0", TestOperators.bearer).status == 404)
  }

  @Test("A file that is no map ends the start, by its name")
  func refused() throws {
    try folder.write("PMTiles of another kind", to: "map.pmtiles")
    let failure = #expect(throws: StartFailure.self) { try TestServer(configure) }
    #expect(failure?.description == "the map \(folder.file("map.pmtiles")): it is no PMTiles file")
  }

  @Test("A damaged tile is an error for who asks, and for nobody else")
  func damaged() throws {
    var map = map
    map.tiles[0].bytes = Array("no gzip at all".utf8)
    try folder.write(map.bytes, to: "map.pmtiles")
    let server = try TestServer(configure)
    #expect(try TestHTTP.get("/tiles/0/0/0", port: server.port).status == 500)
    #expect(try TestHTTP.get("/tiles/1/0/0", port: server.port).status == 200)
  }
}
