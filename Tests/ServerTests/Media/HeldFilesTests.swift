// The descriptors of files that uploads and downloads hold open, beside those of connections.
import Glibc
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct HeldFilesTests {
  // A whole JPEG in its form: a frame of 3 by 2, and scans.
  private static let picture: [UInt8] = [
    0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 2, 0, 3, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9,
  ]
  private let folder: TestFolder
  private let store = StubbornStore()
  private let server: TestServer

  /// A server with five descriptors for connections and their files.
  init() throws {
    let folder = try TestFolder()
    try folder.write(
      """
      #!/bin/sh
      [ "$1" = -l ] && { echo '(jpegload)'; exit; }
      exec cp "$2" "${3%%\\[*}"
      """,
      to: "vips"
    )
    chmod(folder.file("vips"), 0o700)
    self.folder = folder
    server = try TestServer(shards: 1, store: store) {
      $0.media = MediaConfiguration(folder: folder.file("uploads"), program: folder.file("vips"))
      $0.netLimits.descriptorsMax = 5
    }
  }

  private func ticket(_ player: TestPlayer) throws -> String {
    var ask = WireAskUpload()
    ask.bytes = UInt32(Self.picture.count)
    ask.type = "image/jpeg"
    guard case .upload(let upload) = try player.request(.askUpload(ask)) else { throw TestFailure("no ticket") }
    return upload.url
  }

  /// A connection that has sent all of an upload but its last byte, and is being read.
  private func begin(_ url: String) throws -> TestSocket {
    let socket = try TestSocket(port: server.port)
    let head = "PUT \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(Self.picture.count)\r\n\r\n"
    let before = server.report().net.bytesIn
    let bytes = Array(head.utf8) + Self.picture.dropLast()
    try socket.send(bytes)
    _ = try server.report { $0.net.bytesIn == before + bytes.count }
    return socket
  }

  @Test("An upload takes two descriptors of the bound, and gives both back")
  func uploads() throws {
    let player = try server.player("가람")
    let urls = try (0..<3).map { _ in try ticket(player) }
    let (first, second) = (try begin(urls[0]), try begin(urls[1]))
    // One for the player and two for each upload.
    let newcomer = String(decoding: try TestSocket(port: server.port).receiveToEnd(), as: UTF8.self)
    #expect(newcomer.hasPrefix("HTTP/1.1 503"), "\(newcomer)")
    for socket in [first, second] {
      try socket.send(Self.picture.suffix(1))
      #expect(try socket.receiveToEnd().starts(with: "HTTP/1.1 200".utf8))
    }
    #expect(try TestHTTP.get("/", port: server.port).status == 200)
  }

  @Test("An upload for whose file no descriptor is left is refused before its body, and may come again")
  func refused() throws {
    let player = try server.player("가람")
    let others = try (0..<3).map { try server.player("\($0)") }
    let url = try ticket(player)
    let head = "PUT \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(Self.picture.count)\r\n\r\n"
    let refused = try TestHTTP.send(Array(head.utf8) + Self.picture, port: server.port)
    #expect(refused.status == 503 && refused.body.contains("\"OVERLOADED\""), "\(refused)")
    others[0].socket.reset()
    _ = try server.report { $0.connections == 3 }
    #expect(try TestHTTP.send(Array(head.utf8) + Self.picture, port: server.port).status == 200)
  }

  @Test("A picture that the store can't keep leaves its file, and is kept once the store can, without further bytes")
  func outage() throws {
    let player = try server.player("가람")
    let url = try ticket(player)
    let upload = "PUT \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(Self.picture.count)\r\n\r\n"
    store.fail(with: .full)
    // Another player's change meets the fault first.
    let other = try TestPlayer(port: server.port)
    try other.send(.hello(TestPlayer.hello("나래")), id: 1)
    while store.failedCount == 0 { _ = server.report() }
    let refused = try TestHTTP.send(Array(upload.utf8) + Self.picture, port: server.port)
    #expect(refused.status == 503 && refused.body.contains("\"STORE_UNAVAILABLE\""), "\(refused)")
    #expect(refused.field("Retry-After") != nil)
    let rest = """
      PATCH \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\nTus-Resumable: 1.0.0\r\n\
      Upload-Offset: \(Self.picture.count)\r\nContent-Type: application/offset+octet-stream\r\n\r\n
      """
    #expect(try TestHTTP.send(rest, port: server.port).status == 503)
    store.fail(with: nil)
    try server.pass(seconds: 5, player)
    let kept = try TestHTTP.send(rest, port: server.port)
    #expect(kept.status == 204 && kept.field("Media-Id") != nil, "\(kept)")
  }

  @Test("Downloads give their descriptors back, also those that end early")
  func downloads() throws {
    let player = try server.player("가람")
    let head = "PUT \(try ticket(player)) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
    let length = "Content-Length: \(Self.picture.count)\r\n\r\n"
    let uploaded = try TestHTTP.send(Array((head + length).utf8) + Self.picture, port: server.port)
    let id = try #require(uploaded.field("Media-Id"))
    try player.watchPlaces()
    for _ in 0..<2 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: 0)
    }
    let picture = try #require(try player.open(try player.bury(atM: 0) { $0.pictures = [id] }).pictures.first)
    for number in 0..<20 {
      let method = number % 2 == 0 ? "GET" : "HEAD"
      #expect(try TestHTTP.get(picture.url, port: server.port, method: method).status == 200)
      let range = number % 2 == 0 ? "bytes=1-2" : "bytes=900-"
      let part = try TestHTTP.get(picture.url, port: server.port, fields: "Range: \(range)\r\n")
      #expect(part.status == (number % 2 == 0 ? 206 : 416))
    }
  }
}
