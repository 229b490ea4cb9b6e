// Uploads and pictures on a clock that the test turns, with a program that copies in place of libvips'.
import Game
import Glibc
import MadangProtocol
import Server
import Store
import StoreDoubles
import TestSupport
import Testing

@Suite struct MediaTests {
  private let folder: TestFolder
  private let server: TestServer
  private let told = ToldOperator()
  /// A PNG of 3 × 2 pixels, as far as anybody looks.
  private static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, 3, 0, 0, 0, 2, 8, 2]
    + [0, 0, 0, 1, 2, 3, 4]

  init() throws {
    let folder = try TestFolder()
    try folder.write(
      """
      #!/bin/sh
      [ "$1" = -l ] && { echo '(pngload) (jpegload)'; exit; }
      grep -q DAMAGED "$2" && exit 1
      grep -q KILLED "$2" && kill -9 $$
      case $3 in *.webp*) printf 'RIFF\\014\\0\\0\\0WEBPVP8 \\0\\0\\0\\0' > "${3%%\\[*}"; exit;; esac
      exec cp "$2" "${3%%\\[*}"
      """,
      to: "vips"
    )
    chmod(folder.file("vips"), 0o700)
    self.folder = folder
    server = try TestServer { [told] in
      $0.media = MediaConfiguration(folder: folder.file("uploads"), program: folder.file("vips"))
      $0.notifyOperator = told.add
    }
  }

  private func ticket(_ player: TestPlayer, _ byteCount: Int, _ type: String = "image/png") throws -> WireUpload {
    guard case .upload(let upload) = try player.request(Self.asking(byteCount, type)) else {
      throw TestFailure("no ticket")
    }
    return upload
  }

  private static func asking(_ byteCount: Int, _ type: String = "image/png") -> WireClientMessage.OneOf_Body {
    var ask = WireAskUpload()
    ask.bytes = UInt32(byteCount)
    ask.type = type
    return .askUpload(ask)
  }

  private func put(_ bytes: [UInt8], to url: String) throws -> TestHTTP {
    let head = "PUT \(url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(bytes.count)\r\n\r\n"
    return try TestHTTP.send(Array(head.utf8) + bytes, port: server.port)
  }

  private func upload(_ player: TestPlayer) throws -> String {
    let answer = try put(Self.picture, to: ticket(player, Self.picture.count).url)
    guard let id = answer.field("Media-Id") else { throw TestFailure("refused: \(answer.body)") }
    #expect(answer.body == "{\"mediaId\":\"\(id)\"}")
    return id
  }

  /// An opened capsule's picture.
  private func shown(_ player: TestPlayer, _ id: String) throws -> (picture: WirePicture, capsule: WireCapsule) {
    try player.watchPlaces()
    for _ in 0..<2 {
      server.clock.advance(seconds: 1)
      _ = try player.walk(toM: 0)
    }
    let capsule = try player.bury(atM: 0) { $0.pictures = [id] }
    return (try #require(try player.open(capsule).pictures.first), capsule)
  }

  @Test("A picture is seen by its address until that expires, or until nothing shows it")
  func delivery() throws {
    let player = try server.player("가람")
    let (picture, capsule) = try shown(player, upload(player))
    #expect(picture.width == 3 && picture.height == 2)
    let answer = try TestHTTP.get(picture.url, port: server.port)
    #expect(answer.status == 200 && answer.bytes == Self.picture && answer.field("Content-Type") == "image/png")
    #expect(try TestHTTP.get(picture.thumbnailURL, port: server.port).field("Content-Type") == "image/webp")
    var delete = WireDeleteCapsule()
    delete.capsuleID = capsule.capsuleID
    guard case .ok = try player.request(.deleteCapsule(delete)) else { throw TestFailure("not deleted") }
    #expect(try TestHTTP.get(picture.url, port: server.port).body.contains("\"MEDIA_NOT_FOUND\""))
    server.clock.advance(seconds: 7_200)
    // A connection begins on a shard that knows the time.
    for _ in 0..<2 { _ = server.report() }
    let late = try TestHTTP.get(picture.url, port: server.port)
    #expect(late.status == 403 && late.body.contains("\"MEDIA_ADDRESS_EXPIRED\""))
  }

  @Test("A ticket is forgotten an hour after its last byte, with its file")
  func forgotten() throws {
    let player = try server.player("가람")
    let upload = try ticket(player, 1_000)
    #expect(upload.expiresAtMs == server.clock.now().milliseconds + 300_000)
    let head =
      "PATCH \(upload.url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n"
      + "Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n\r\nabcd"
    let part = try TestHTTP.send(head, port: server.port)
    #expect(part.status == 204 && part.field("Upload-Offset") == "4")
    for _ in 0..<59 {
      server.clock.advance(seconds: 60)
      _ = server.report()
      try player.pump()
    }
    #expect(try TestHTTP.get(upload.url, port: server.port, method: "HEAD").field("Upload-Offset") == "4")
    for _ in 0..<2 {
      server.clock.advance(seconds: 61)
      _ = server.report()
      try player.pump()
    }
    #expect(try TestHTTP.get(upload.url, port: server.port, method: "HEAD").status == 404)
  }

  @Test("What the program refuses is damaged, also when it is killed; the operator hears of the latter")
  func refused() throws {
    let player = try server.player("가람")
    var failures: [OperatorNotification] {
      told.all.filter { if case .pictureNotCleaned = $0 { true } else { false } }
    }
    for (word, told) in [("DAMAGED", []), ("KILLED", [OperatorNotification.pictureNotCleaned("signal 9")])] {
      let bytes = Self.picture + Array(word.utf8)
      let answer = try put(bytes, to: ticket(player, bytes.count).url)
      #expect(answer.status == 422 && answer.body.contains("\"MEDIA_DAMAGED\""), "\(word)")
      #expect(failures == told)
    }
  }

  @Test("A ticket is asked for in bounds, and only for types that are taken")
  func bounds() throws {
    let player = try server.player("가람")
    #expect(try player.refusal(of: Self.asking(0)).code == .outOfRange)
    #expect(try player.refusal(of: Self.asking(5_242_881)).code == .mediaTooLarge)
    #expect(try player.refusal(of: Self.asking(10, "image/heic")).code == .mediaTypeRefused)
    for _ in 0..<10 { _ = try ticket(player, 10) }
    let spent = try player.refusal(of: Self.asking(10))
    #expect(spent.code == .rateLimited && spent.retryAfterMs > 3_600_000)
    let other = try server.player("나래")
    for _ in 0..<4 { _ = try ticket(other, 5_000_000) }
    #expect(try other.refusal(of: Self.asking(10)).code == .rateLimited)
  }

  @Test("A server without the program takes no pictures")
  func unavailable() throws {
    let folder = folder
    for program in [nil, folder.file("nothing")] {
      let server = try TestServer {
        $0.media = program.map { MediaConfiguration(folder: folder.file("other"), program: $0) }
      }
      let player = try server.player("가람")
      #expect(try player.refusal(of: Self.asking(10)).code == .mediaUnavailable)
    }
  }
}
