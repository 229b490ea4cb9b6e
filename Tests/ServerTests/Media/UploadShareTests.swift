// Uploads of many strangers over real sockets: what each network may hold open, and for how long.
import Glibc
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct UploadShareTests {
  // A whole JPEG in its form: a frame of 3 by 2, and scans.
  private static let picture: [UInt8] = [
    0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 2, 0, 3, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9,
  ]
  private let folder: TestFolder

  /// A program that waits as long as there is a file `hold`.
  init() throws {
    folder = try TestFolder()
    try folder.write(
      """
      #!/bin/sh
      [ "$1" = -l ] && { echo '(jpegload)'; exit; }
      while [ -e '\(folder.file("hold"))' ]; do sleep 0.01; done
      exec cp "$2" "${3%%\\[*}"
      """,
      to: "vips"
    )
    chmod(folder.file("vips"), 0o700)
  }

  private func server(limitsLoopback: Bool) throws -> TestServer {
    try TestServer {
      $0.media = MediaConfiguration(folder: folder.file("uploads"), program: folder.file("vips"))
      $0.netLimits.limitsLoopback = limitsLoopback
    }
  }

  private func player(_ server: TestServer, network: UInt32) throws -> TestPlayer {
    let player = try TestPlayer(port: server.port, from: 0x7F00_0001 + network << 8)
    _ = try player.hello("가람")
    return player
  }

  private static func asking(_ byteCount: Int) -> WireClientMessage.OneOf_Body {
    var ask = WireAskUpload()
    ask.bytes = UInt32(byteCount)
    ask.type = "image/jpeg"
    return .askUpload(ask)
  }

  private func ticket(_ player: TestPlayer, _ byteCount: Int) throws -> String {
    guard case .upload(let upload) = try player.request(Self.asking(byteCount)) else { throw TestFailure("no ticket") }
    return upload.url
  }

  /// Takes tickets until a network gets no more; returns their number and the refusal.
  private func flood(_ server: TestServer, network: UInt32, most: Int = 1_000) throws -> (Int, WireErrorCode?) {
    var count = 0
    while count < most {
      let guest = try player(server, network: network)
      for _ in 0..<4 {
        switch try guest.request(Self.asking(5_000_000)) {
        case .upload: count += 1
        case .error(let error): return (count, error.code)
        default: throw TestFailure("no answer to askUpload")
        }
      }
    }
    return (count, nil)
  }

  @Test("Four networks that announce all they may leave room for another, and nothing stays of it after minutes")
  func openBytes() throws {
    let server = try server(limitsLoopback: true)
    let first = try flood(server, network: 1)
    #expect(first == (26, .rateLimited), "128 MiB in files of 5 MB: \(first)")
    for network: UInt32 in 2...4 {
      let (count, code) = try flood(server, network: network)
      #expect(count > 15 && count < 26 && code == .rateLimited, "\(count)")
    }
    _ = try ticket(player(server, network: 5), 5_000_000)
    for _ in 0..<6 {
      server.clock.advance(seconds: 60)
      for _ in 0..<2 { _ = server.report() }
    }
    #expect(try flood(server, network: 6) == (26, .rateLimited))
  }

  @Test("The announced bytes of all together have a bound; what is refused costs no upload of the day")
  func openBytesInAll() throws {
    let server = try server(limitsLoopback: false)
    #expect(try flood(server, network: 1) == (429, .overloaded), "2 GiB in files of 5 MB")
    let guest = try player(server, network: 1)
    for _ in 0..<20 { #expect(try guest.refusal(of: Self.asking(5_000_000)).code == .overloaded) }
    for _ in 0..<10 { _ = try ticket(guest, 1_000) }
  }

  @Test("A ticket without a byte is forgotten after five minutes, one that has begun an hour after its last byte")
  func lives() throws {
    let server = try server(limitsLoopback: false)
    let guest = try player(server, network: 1)
    let (unbegun, begun) = (try ticket(guest, 1_000), try ticket(guest, 1_000))
    let part =
      "PATCH \(begun) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\nTus-Resumable: 1.0.0\r\n"
    let fields = "Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n\r\na"
    #expect(try TestHTTP.send(part + fields, port: server.port).status == 204)
    func status(_ url: String) throws -> Int { try TestHTTP.get(url, port: server.port, method: "HEAD").status }
    func pass(seconds: Int64) {
      for _ in 0..<seconds / 20 {
        server.clock.advance(seconds: 20)
        for _ in 0..<2 { _ = server.report() }
      }
    }
    pass(seconds: 280)
    #expect(try status(unbegun) == 200)
    // An upload that brings no byte keeps no ticket.
    let empty =
      "PATCH \(unbegun) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\nTus-Resumable: 1.0.0\r\n"
    let nothing = "Upload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n\r\n"
    #expect(try TestHTTP.send(empty + nothing, port: server.port).status == 204)
    pass(seconds: 20)
    #expect(try TestHTTP.send(empty + nothing, port: server.port).body.contains("\"TICKET_NOT_FOUND\""))
    pass(seconds: 120)
    #expect(try status(unbegun) == 404)
    #expect(try status(begun) == 200)
    pass(seconds: 3_600)
    #expect(try status(begun) == 404)
  }

  @Test("A network's pictures that wait have a bound; the last byte is answered with 503, and the file stays")
  func waitingPictures() throws {
    try folder.write("", to: "hold")
    let server = try server(limitsLoopback: true)
    var sockets: [TestSocket] = []
    var last = ""
    for number in 0..<65 {
      let guest = try player(server, network: 1)
      last = try ticket(guest, Self.picture.count)
      let socket = try TestSocket(port: server.port)
      let head = "PUT \(last) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(Self.picture.count)\r\n\r\n"
      try socket.send(Array(head.utf8) + Self.picture)
      guard number < 64 else {
        let refused = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
        #expect(refused.hasPrefix("HTTP/1.1 503") && refused.contains("\"OVERLOADED\""), "\(refused)")
        #expect(refused.contains("Retry-After: "))
        break
      }
      // The file is whole, and waits.
      while try !TestHTTP.get(last, port: server.port, method: "HEAD").isWhole(Self.picture.count) {}
      sockets.append(socket)
    }
    // Another network's picture is taken while the others wait.
    let other = try player(server, network: 2)
    let url = try ticket(other, Self.picture.count)
    let socket = try TestSocket(port: server.port)
    let head = "PUT \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(Self.picture.count)\r\n\r\n"
    try socket.send(Array(head.utf8) + Self.picture)
    while try !TestHTTP.get(url, port: server.port, method: "HEAD").isWhole(Self.picture.count) {}
    unlink(folder.file("hold"))
    for socket in sockets + [socket] { #expect(try socket.receiveToEnd().starts(with: "HTTP/1.1 200".utf8)) }
    let again =
      "PATCH \(last) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\nTus-Resumable: 1.0.0\r\n"
    let end = "Upload-Offset: \(Self.picture.count)\r\nContent-Type: application/offset+octet-stream\r\n\r\n"
    #expect(try TestHTTP.send(again + end, port: server.port).field("Media-Id") != nil)
  }
}

extension TestHTTP {
  fileprivate func isWhole(_ byteCount: Int) -> Bool { field("Upload-Offset") == "\(byteCount)" }
}
