// Outages of a source of photos, and of who has the pictures that it names, on a clock that the test turns.
import Game
import Glibc
import Server
import TestSupport
import Testing

@Suite struct PhotoOutageTests {
  private let files: TestFolder
  private let source: PhotoReceiver

  init() throws {
    files = try TestFolder()
    try files.write(
      """
      #!/bin/sh
      [ "$1" = -l ] && { echo '(pngload) (jpegload)'; exit; }
      grep -q DAMAGED "$2" && exit 1
      exec cp "$2" "${3%%\\[*}"
      """,
      to: "vips"
    )
    chmod(files.file("vips"), 0o700)
    source = try PhotoReceiver()
  }

  /// A JPEG of 3 × 2 pixels, as far as anybody looks.
  private static func picture(_ text: String) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 2, 0, 3, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA, 0, 2]
      + Array(text.utf8)
  }

  private func server(requestsPerDay: Int = 500, clock: ManualClock = ManualClock()) throws -> TestServer {
    var settings = HTTPPhotoSource.Settings(url: source.url("/search/{country}"))
    settings.pointer = "/src"
    settings.allowsPrivateAddresses = true
    let web = try HTTPPhotoSource(version: "1.2.3", settings)
    return try TestServer(clock: clock) {
      $0.media = MediaConfiguration(folder: files.file("uploads"), program: files.file("vips"))
      $0.photos = PhotoConfiguration(folder: files.file("photos"), source: web, requestsPerDay: requestsPerDay)
    }
  }

  private func status(_ server: TestServer, _ country: String) throws -> Int {
    try TestHTTP.get("/photo/\(country)", port: server.port).status
  }

  /// Lets time pass before any further connection begins.
  private func pass(_ server: TestServer, seconds: Int64) {
    server.clock.advance(seconds: seconds)
    for _ in 0..<2 { _ = server.report() }
  }

  /// Has the source name pictures of `host`.
  private func name(_ host: String, then: @escaping @Sendable (PhotoReceiver.Request) -> PhotoReceiver.Answer) {
    source.answer { request in
      guard request.path.hasPrefix("/search/") else { return then(request) }
      return .json(#"{"src":"\#(host)/pictures/\#(request.path.dropFirst(8))"}"#)
    }
  }

  private func count(_ path: String) -> Int { source.requests.count { $0.path == path } }

  @Test(
    "While a picture can't be fetched its country rests, and others do not; then it is asked for again",
    arguments: ["503 Service Unavailable", "429 Too Many Requests", "500 Internal Server Error"]
  )
  func pictureOutage(answer: String) throws {
    defer { source.stop() }
    name(source.url("")) { $0.path == "/pictures/KR" ? .status(answer) : .picture(Self.picture("sea")) }
    let server = try server()
    #expect(try status(server, "KR") == 404)
    #expect(try status(server, "JP") == 200, "the source does not rest")
    pass(server, seconds: 599)
    #expect(try status(server, "KR") == 404 && count("/pictures/KR") == 1)
    name(source.url("")) { _ in .picture(Self.picture("sea")) }
    pass(server, seconds: 2)
    #expect(try status(server, "KR") == 200 && count("/pictures/KR") == 2)
  }

  @Test("A picture whose host accepts no connection is an outage too; a country is asked for four times a day")
  func bounded() throws {
    defer { source.stop() }
    let gone = try PhotoReceiver()
    gone.stop()
    name(gone.url("")) { _ in .status("404 Not Found") }
    let server = try server()
    for _ in 0..<14 {
      #expect(try status(server, "KR") == 404)
      pass(server, seconds: 2_400)
    }
    #expect(count("/search/KR") == 4)
    pass(server, seconds: 86_400)
    name(source.url("")) { _ in .picture(Self.picture("sea")) }
    #expect(try status(server, "KR") == 200 && count("/search/KR") == 5)
  }

  @Test("A longer time that the picture's host asks for is kept, and the quota holds for attempts")
  func retryAfter() throws {
    defer { source.stop() }
    name(source.url("")) { _ in .status("503 Service Unavailable", "Retry-After: 7200") }
    let server = try server(requestsPerDay: 4)
    #expect(try status(server, "KR") == 404)
    pass(server, seconds: 7_199)
    #expect(try status(server, "KR") == 404 && source.requests.count == 2)
    pass(server, seconds: 2)
    #expect(try status(server, "KR") == 404 && source.requests.count == 4)
    pass(server, seconds: 20_000)
    #expect(try status(server, "KR") == 404 && source.requests.count == 4)
  }

  @Test("One bad picture rests nothing, and its country is not asked for again on that day")
  func badPicture() throws {
    defer { source.stop() }
    name(source.url("")) { request in
      switch request.path {
      case "/pictures/KR": .status("404 Not Found")
      case "/pictures/FR": .picture(Self.picture("DAMAGED"))
      case "/pictures/IT": .status("403 Forbidden")
      case "/pictures/ES": .picture([UInt8](repeating: 0xFF, count: 10 << 20 + 1))
      default: .picture(Self.picture("sea"))
      }
    }
    let server = try server()
    for country in ["KR", "FR", "IT", "ES"] { #expect(try status(server, country) == 404, "\(country)") }
    #expect(try status(server, "JP") == 200)
    pass(server, seconds: 20_000)
    for country in ["KR", "FR", "IT", "ES"] { #expect(try status(server, country) == 404, "\(country)") }
    #expect(source.requests.count == 10)
  }

  @Test("A source that fails is asked for the same country four times a day, over a restart too")
  func sourceOutage() throws {
    defer { source.stop() }
    source.answer { _ in .status("500 Internal Server Error") }
    let first = try server()
    for _ in 0..<2 {
      #expect(try status(first, "KR") == 404)
      pass(first, seconds: 3_600)
    }
    first.stop()
    let second = try server(clock: first.clock)
    for _ in 0..<7 {
      #expect(try status(second, "KR") == 404)
      pass(second, seconds: 3_600)
    }
    #expect(count("/search/KR") == 4)
    #expect(try status(second, "JP") == 404 && count("/search/JP") == 1, "others are asked for")
  }
}
