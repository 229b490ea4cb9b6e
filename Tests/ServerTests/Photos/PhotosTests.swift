// Countries' photos over real sockets, from a source of the test's own, on a clock that the test turns, with a program
// that copies in place of libvips'.
import Game
import Glibc
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct PhotosTests {
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

  /// A JPEG as far as anybody looks.
  private static func picture(_ text: String, width: UInt16 = 3, height: UInt16 = 2) -> [UInt8] {
    let size = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    return [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8] + size + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA, 0, 2]
      + Array(text.utf8)
  }

  private func settings(_ path: String = "/{country}") -> HTTPPhotoSource.Settings {
    var settings = HTTPPhotoSource.Settings(url: source.url(path))
    settings.allowsPrivateAddresses = true
    return settings
  }

  private func web(_ settings: HTTPPhotoSource.Settings) throws -> any PhotoSource {
    try HTTPPhotoSource(version: "1.2.3", settings)
  }

  private func server(
    _ photos: any PhotoSource,
    requestsPerDay: Int = 500,
    clock: ManualClock = ManualClock(),
    limitsLoopback: Bool = false,
    tell: @escaping @Sendable (OperatorNotification) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(clock: clock) {
      $0.media = MediaConfiguration(folder: files.file("uploads"), program: files.file("vips"))
      $0.photos = PhotoConfiguration(folder: files.file("photos"), source: photos, requestsPerDay: requestsPerDay)
      $0.netLimits.limitsLoopback = limitsLoopback
      $0.notifyOperator = tell
    }
  }

  private func get(_ server: TestServer, _ country: String, fields: String = "") throws -> TestHTTP {
    try TestHTTP.get("/photo/\(country)", port: server.port, fields: fields)
  }

  /// Asks until the answer fits: what is fetched beside an answer comes a moment later.
  private func get(_ server: TestServer, _ country: String, until fits: (TestHTTP) -> Bool) throws -> TestHTTP {
    // Bounded only so that a failing test ends.
    for _ in 0..<100_000 {
      let answer = try get(server, country)
      if fits(answer) { return answer }
    }
    throw TestFailure("the photo of \(country) did not come to that")
  }

  /// Lets time pass before any further connection begins.
  private func pass(_ server: TestServer, seconds: Int64) {
    server.clock.advance(seconds: seconds)
    for _ in 0..<2 { _ = server.report() }
  }

  @Test("A photo is fetched once, kept, and told with validators and its attribution")
  func delivery() throws {
    defer { source.stop() }
    source.answer { _ in .picture(Self.picture("one"), by: "지민") }
    var settings = settings("/{country}/{name}")
    settings.attribution = "Photo by {X-Author}"
    let server = try server(web(settings))
    let first = try get(server, "KR")
    #expect(first.status == 200 && first.bytes == Self.picture("one") && first.field("Content-Type") == "image/jpeg")
    #expect(first.field("Cache-Control") == "public, max-age=3600")
    #expect(first.field("X-Content-Type-Options") == "nosniff")
    #expect(first.field("Photo-Attribution") == "%\"Photo by %ec%a7%80%eb%af%bc\"")
    let tag = try #require(first.field("ETag"))
    let again = try get(server, "kr", fields: "If-None-Match: \(tag)\r\n")
    #expect(again.status == 304 && again.field("ETag") == tag && again.bytes.isEmpty)
    let head = try TestHTTP.get("/photo/KR", port: server.port, method: "HEAD")
    #expect(head.status == 200 && head.field("Content-Length") == "\(first.bytes.count)" && head.bytes.isEmpty)
    #expect(source.requests.map(\.path) == ["/KR/South%20Korea"])
    let player = try server.player("가람")
    var request = WireCountryRequest()
    request.code = "KR"
    guard case .country(let korea) = try player.request(.country(request)) else { throw TestFailure("no country") }
    #expect(korea.photoURL == "/photo/KR" && korea.photoAttribution == "Photo by 지민")
  }

  @Test("What is no country has no photo, and asks the source nothing")
  func unknown() throws {
    defer { source.stop() }
    let server = try server(web(settings()))
    for path in ["/photo/ZZ", "/photo/KOR", "/photo", "/photo/", "/photo/KR/", "/photo/../KR", "/photo/%4BR"] {
      #expect(try TestHTTP.get(path, port: server.port).status == 404, "\(path)")
    }
    let put = "PUT /photo/KR HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx"
    #expect(try TestHTTP.send(put, port: server.port).status == 405)
    #expect(source.requests.isEmpty)
    let none = try TestServer()
    #expect(try get(none, "KR").status == 404)
  }

  @Test("Who asks while a photo is being fetched waits for it, and the source is asked once")
  func together() throws {
    defer { source.stop() }
    source.answer { _ in .picture(Self.picture("one")) }
    source.hold()
    let server = try server(web(settings()))
    let sockets = try (0..<8).map { _ in try TestSocket(port: server.port) }
    let request = "GET /photo/KR HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8
    for socket in sockets { try socket.send(request) }
    _ = try server.report { $0.net.bytesIn == 8 * request.count }
    // A photo that takes its time comes later.
    server.clock.advance(seconds: 8, milliseconds: 10)
    for socket in sockets.prefix(4) {
      let answer = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("Retry-After: 5"))
    }
    let late = try TestSocket(port: server.port)
    try late.send(request)
    _ = try server.report { $0.net.bytesIn == 9 * request.count }
    source.release()
    let answer = try late.receiveToEnd()
    #expect(answer.starts(with: "HTTP/1.1 200".utf8) && answer.suffix(3).elementsEqual("one".utf8))
    #expect(source.requests.count == 1)
  }

  @Test("A photo is fetched anew on the next day; while the source is down the last one is served, after a restart too")
  func days() throws {
    defer { source.stop() }
    source.answer { _ in .picture(Self.picture("one")) }
    let server = try server(web(settings()))
    _ = try get(server, "KR")
    pass(server, seconds: 86_400)
    source.answer { _ in .picture(Self.picture("two")) }
    // The first asker gets what is there.
    #expect(try get(server, "KR").bytes.suffix(3).elementsEqual("one".utf8))
    _ = try get(server, "KR") { $0.bytes.suffix(3).elementsEqual("two".utf8) }
    #expect(source.requests.count == 2)
    pass(server, seconds: 86_400)
    source.answer { _ in .status("500 Internal Server Error") }
    for _ in 0..<3 { #expect(try get(server, "KR").status == 200) }
    try source.reach(3)
    server.stop()
    let next = try self.server(web(settings()), clock: server.clock)
    #expect(try get(next, "KR").bytes.suffix(3).elementsEqual("two".utf8))
  }

  @Test("One quota holds for all countries and shards, over a restart, until the next day")
  func quota() throws {
    defer { source.stop() }
    source.answer { _ in .picture(Self.picture("one")) }
    let server = try server(web(settings()), requestsPerDay: 2)
    for country in ["KR", "JP"] { #expect(try get(server, country).status == 200) }
    let spent = try get(server, "FR")
    #expect(spent.status == 404 && spent.field("Cache-Control") == "public, max-age=60")
    server.stop()
    let next = try self.server(web(settings()), requestsPerDay: 2, clock: server.clock)
    #expect(try get(next, "FR").status == 404 && get(next, "KR").status == 200)
    #expect(source.requests.count == 2)
    pass(next, seconds: 86_400)
    #expect(try get(next, "FR").status == 200)
    #expect(source.requests.count == 3)
  }

  @Test("JSON names the picture and its author; the key is for the source alone")
  func json() throws {
    defer { source.stop() }
    let picture = source.url("/picture")
    source.answer { request in
      guard request.path.hasPrefix("/search") else { return .picture(Self.picture("one")) }
      let none = #"{"results":[]}"#
      return .json(
        request.path.contains("q=Japan")
          ? none : #"{"results":[{"urls":{"regular":"\#(picture)"},"user":{"name":"\u202eJ\u00fcrgen"}}]}"#
      )
    }
    var settings = settings("/search?q={name}&id={key}")
    settings.pointer = "/results/0/urls/regular"
    settings.attribution = "Photo by {/results/0/user/name} on Example"
    settings.key = "s3cret"
    settings.header = "Authorization: Client-ID {key}"
    let server = try server(web(settings))
    #expect(try get(server, "KR").field("Photo-Attribution") == "%\"Photo by J%c3%bcrgen on Example\"")
    #expect(try get(server, "JP").status == 404)
    let requests = source.requests
    #expect(requests.map(\.path) == ["/search?q=South%20Korea&id=s3cret", "/picture", "/search?q=Japan&id=s3cret"])
    #expect(requests[0].has("Authorization: Client-ID s3cret") && !requests[1].has("s3cret"))
    // A country without a photo is asked for once a day.
    #expect(try get(server, "JP").status == 404 && source.requests.count == 3)
  }

  @Test("What is no picture, a bomb, too long or elsewhere is not served, and the operator hears of it without the key")
  func bad() throws {
    defer { source.stop() }
    let told = ToldOperator()
    source.answer { request in
      switch request.path.prefix(3) {
      case "/KR": .picture(Array("<html>s3cret</html>".utf8))
      case "/JP": .picture(Self.picture("bomb", width: 65_000, height: 65_000))
      case "/FR": .picture(Self.picture("DAMAGED"))
      case "/IT": .status("404 Not Found")
      case "/DE": .status("302 Found", "Location: http://169.254.169.254/latest/meta-data?s3cret")
      default: .status("200 OK")
      }
    }
    var settings = settings("/{country}?key={key}")
    settings.key = "s3cret"
    let server = try server(web(settings)) { told.add($0) }
    for country in ["KR", "JP", "FR", "IT", "GB", "DE"] {
      #expect(try get(server, country).status == 404, "\(country)")
    }
    let notifications = told.all.map { "\($0)" }
    #expect(notifications.count == 6 && notifications.allSatisfy { !$0.contains("s3cret") }, "\(notifications)")
    #expect(notifications.last?.contains("not public") == true)
    // A source that fails rests.
    #expect(try get(server, "ES").status == 404 && source.requests.count == 6)
    source.answer { _ in .picture([UInt8](repeating: 0xFF, count: 10 << 20 + 1)) }
    pass(server, seconds: 61)
    #expect(try get(server, "ES").status == 404)
    #expect("\(told.all.last.map { "\($0)" } ?? "")".contains("too long"))
  }

  @Test("A few redirects are followed without the key, no circle of them")
  func redirects() throws {
    defer { source.stop() }
    source.answer { request in
      if request.path.hasPrefix("/KR") { return .status("302 Found", "Location: /moved") }
      if request.path == "/moved" { return .picture(Self.picture("one")) }
      return .status("307 Temporary Redirect", "Location: /circle")
    }
    var settings = settings("/{country}?key={key}")
    settings.key = "s3cret"
    settings.header = "X-Key: {key}"
    let server = try server(web(settings))
    #expect(try get(server, "KR").status == 200)
    #expect(source.requests.map { $0.has("s3cret") } == [true, false])
    #expect(try get(server, "JP").status == 404 && source.requests.count == 6)
  }

  @Test("A folder is a source too, with a file of words beside each picture")
  func folder() throws {
    defer { source.stop() }
    try files.write(Self.picture("seoul"), to: "kr.jpg")
    try files.write("  서울의 밤\n사진: 가람\n", to: "kr.txt")
    try files.write(Self.picture("tokyo"), to: "JP.jpeg")
    let server = try server(FolderPhotoSource(folder: files.path, attribution: "우리"))
    let korea = try get(server, "KR")
    #expect(korea.status == 200 && korea.bytes == Self.picture("seoul"))
    #expect(korea.field("Photo-Attribution")?.hasSuffix("%20") == false)
    #expect(try get(server, "JP").field("Photo-Attribution") == "%\"%ec%9a%b0%eb%a6%ac\"")
    #expect(try get(server, "FR").status == 404)
  }

  @Test("An address asks for so many photos in a minute, and no more")
  func budget() throws {
    defer { source.stop() }
    let server = try server(FolderPhotoSource(folder: files.path, attribution: ""), limitsLoopback: true)
    var statuses: [Int: Int] = [:]
    // A connection may make so many at once.
    for _ in 0..<101 {
      let socket = try TestSocket(port: server.port)
      let request = "HEAD /photo/KR HTTP/1.1\r\nHost: a\r\n"
      let last = request + "Connection: close\r\n\r\n"
      for number in 0..<60 { try socket.send((number < 59 ? request + "\r\n" : last).utf8) }
      for line in String(decoding: try socket.receiveToEnd(), as: UTF8.self).split(separator: "\r\n") {
        if line.hasPrefix("HTTP/1.1 ") { statuses[Int(line.dropFirst(9).prefix(3)) ?? 0, default: 0] += 1 }
      }
    }
    #expect(statuses == [404: 6_000, 429: 60])
  }

  @Test("Settings that can't work are refused at the start")
  func faults() throws {
    defer { source.stop() }
    func fault(_ change: (inout HTTPPhotoSource.Settings) -> Void) -> String? {
      var settings = HTTPPhotoSource.Settings(url: "https://photos.example/{country}")
      change(&settings)
      do throws(HTTPPhotoSource.Fault) {
        _ = try HTTPPhotoSource(version: "1.2.3", settings)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(fault { _ in } == nil)
    #expect(fault { $0.url = "http://photos.example/{country}" }?.contains("https://") == true)
    #expect(fault { $0.url = "https://photos.example/{nothing}" } != nil)
    #expect(fault { $0.url = "https://photos.example/{key}" }?.contains("file with the key") == true)
    #expect(fault { $0.header = "X-Key: {key}" } != nil && fault { $0.header = "no colon" } != nil)
    #expect(fault { $0.header = "Host: elsewhere" } != nil)
    #expect(fault { $0.key = "two words" } != nil && fault { $0.key = "" } != nil)
    #expect(fault { $0.pointer = "results" }?.contains("pointer") == true)
  }
}
