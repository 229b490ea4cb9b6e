// A small service that executes messages as commands: one word for each call that a service may make on a connection.
//
// One stands on each shard and is called on that shard's queue. A message that is no command is echoed, after the
// shard's number.
import Net
import WebSocket

final class CommandService: ShardService {
  unowned let core: ShardCore
  private let log: EventLog
  /// Takes so many milliseconds of the test's clock.
  private let work: @Sendable (Int64) -> Void
  /// The group of the connections that have asked to be in it.
  let readGroup = ReadGroup()
  static let messageBytesMax = 1 << 20
  static let subprotocol = "commands"
  /// The payload of one flood message.
  static let floodBytes = 32 * 1_024
  /// The body of the longest page, at `/flood`.
  static let pageBytes = 1 << 20

  init(_ core: ShardCore, _ log: EventLog, work: @escaping @Sendable (Int64) -> Void = { _ in }) {
    self.core = core
    self.log = log
    self.work = work
  }

  private func note(_ event: String) { log.note("\(core.index) \(event)") }

  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    if head.path == "/address" { return HTTPResponse(status: 200, body: Array("\(address)".utf8)) }
    if head.path == "/flood" { return HTTPResponse(status: 200, body: Array(repeating: 0x2E, count: Self.pageBytes)) }
    if head.path.hasPrefix("/long/"), let count = Int(head.path.dropFirst(6)) {
      return HTTPResponse(status: 200, body: [UInt8](repeating: UInt8(ascii: "a"), count: count))
    }
    return HTTPResponse(status: 200, body: Array(head.path.utf8))
  }

  /// Whether the answer comes later: `/later/…` is answered with its path in a later step of the shard, `/never` never.
  func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool {
    if head.path.hasPrefix("/stream/"), let count = Int(head.path.dropFirst(8)) {
      var response = HTTPResponse(status: 200)
      response.followingByteCount = count
      BodyExchange(connection).answer(response, from: CommandSource(core, connection))
      return true
    }
    guard head.path == "/never" || head.path.hasPrefix("/later/") else { return false }
    note("asked \(head.path)")
    guard head.path != "/never" else { return true }
    let (token, path) = (connection.token, head.path)
    core.siblings[core.index].post {
      $0.core.connection(for: token)?.answer(HTTPResponse(status: 200, body: Array(path.utf8)))
    }
    return true
  }

  /// `/take` takes a body, `/slow` one piece in each later step; both answer with its length and sum. `/early` answers
  /// at the first byte, `/refused` before.
  func admitBody(of head: RequestHead, from address: SocketAddress, on connection: Connection) -> BodyAdmission {
    guard head.path != "/refused" else { return .refused(HTTPResponse(status: 403)) }
    note("body of \(head.method) \(head.path)")
    return .taken(CommandBody(core, head.path, connection, log), answerSeconds: 0)
  }

  func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    guard head.path != "/no" else { return .refused(HTTPResponse(status: 403)) }
    return .webSocket(subprotocols: [Self.subprotocol], messageBytesMax: Self.messageBytesMax, compresses: true)
  }

  func opened(_ connection: Connection) {
    note("opened \(connection.token)")
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard kind == .text else { return connection.send(.binary, bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    switch words.first {
    case "close":
      connection.close(UInt16(words[1]) ?? 1000, words.count > 2 ? words[2] : "")
    case "abandon":
      reply("abandoned", on: connection)
      connection.abandon()
    case "move":
      move(connection, to: Int(words[1]) ?? 0, "cargo")
    case "flood":
      // Straight to the kernel until it is full and as many bytes as asked for wait.
      flood(connection, until: Int(words[1]) ?? 0)
      note("flooded \(connection.unsentBytes > 0)")
    case "flood-move":
      let count = flood(connection, until: Int(words[1]) ?? 0)
      move(connection, to: Int(words[2]) ?? 0, "\(count) \(connection.unsentBytes)")
    case "travel":
      move(connection, to: Int(words[1]) ?? 0, "on to \(core.index)")
    case "address":
      reply("\(connection.address)", on: connection)
    case "pause":
      connection.pauseReading(until: core.now.advanced(seconds: Int64(words[1]) ?? 0))
      reply("paused", on: connection)
    case "suspend":
      connection.suspend()
      note("suspended")
    case "join":
      core.set(ConnectionHints(receiving: connection), of: connection, group: GroupHints(), readWith: readGroup)
      connection.letNextWait()
      reply("joined", on: connection)
    case "step":
      connection.letNextWait()
      note(text)
    case "acknowledge":
      connection.acknowledge()
      note(text)
    case "work":
      work(Int64(words[1]) ?? 0)
    case "mixed":
      reply("first", on: connection)
      sendAtOnce("second", on: connection)
      reply("third", on: connection)
    case "watch":
      connection.context = self
      reply("watching", on: connection)
    case "deadline":
      connection.serviceDeadline = core.now.advanced(seconds: Int64(words[1]) ?? 0)
      reply("set", on: connection)
    default:
      reply(text, on: connection)
    }
  }

  private func arrived(_ connection: Connection, carrying cargo: String) {
    note("adopted \(cargo)")
    if cargo.hasPrefix("on to "), let shard = Int(cargo.dropFirst(6)) {
      move(connection, to: shard, "cargo")
    } else {
      reply("adopted \(cargo)", on: connection)
    }
  }

  func deadlinePassed(_ connection: Connection) {
    note("deadline \(connection.serviceDeadline == nil)")
  }

  func closed(_ connection: Connection) {
    note("closed \(connection.closeCode.map(String.init) ?? "nil")")
    core.forEachConnection { if $0.context === self { reply("someone left", on: $0) } }
  }

  func peerEnded(_ connection: Connection) { note("peer ended") }

  func noticedUndeclaredProxy(address: IPAddress) { note("undeclared proxy \(address)") }

  /// A timer over 1,000 takes so many milliseconds of the test's clock as its last three digits say.
  func timerFired(_ token: UInt64) {
    note("timer \(token)")
    if token > 1_000 { work(Int64(token % 1_000)) }
  }

  private func move(_ connection: Connection, to shard: Int, _ cargo: String) {
    connection.move(to: core.siblings[shard]) { core, connection in
      core.service(as: CommandService.self).arrived(connection, carrying: cargo)
    }
  }

  private func reply(_ text: String, on connection: Connection) {
    Array("\(core.index):\(text)".utf8).withUnsafeBytes { connection.send(.text, $0) }
  }

  private func sendAtOnce(_ text: String, on connection: Connection) {
    var frame: [UInt8] = []
    FrameEncoder.append(.text, Array("\(core.index):\(text)".utf8), to: &frame)
    let half = frame.count / 2
    _ = frame.withUnsafeBytes { bytes in
      connection.send(
        frames: UnsafeRawBufferPointer(rebasing: bytes[..<half]),
        UnsafeRawBufferPointer(rebasing: bytes[half...])
      )
    }
  }

  /// Sends numbered binary messages until `bytes` wait or the connection is no longer open.
  @discardableResult
  private func flood(_ connection: Connection, until bytes: Int) -> Int {
    var count = 0
    while connection.isOpen, connection.unsentBytes <= bytes, count < 10_000 {
      var payload = [UInt8](repeating: 0, count: Self.floodBytes)
      withUnsafeBytes(of: UInt32(count).bigEndian) { payload.replaceSubrange(0..<4, with: $0) }
      var frame: [UInt8] = []
      FrameEncoder.append(.binary, payload, to: &frame)
      _ = frame.withUnsafeBytes { connection.send(frames: $0, UnsafeRawBufferPointer(start: nil, count: 0)) }
      count += 1
    }
    return count
  }
}
