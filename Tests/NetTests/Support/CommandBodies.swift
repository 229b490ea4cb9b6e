// Bodies that the command service takes and gives: counted and summed up, so that a test sees that none is lost.
//
// Owned by one connection and used on its shard's queue.
import Net
import WebSocket

final class CommandBody: BodyTaker {
  private unowned let core: ShardCore
  private let path: String
  private let token: UInt64
  private let log: EventLog
  private var count = 0
  private var sum: UInt64 = 0
  private var hasBrokenOff = false

  init(_ core: ShardCore, _ path: String, _ connection: Connection, _ log: EventLog) {
    (self.core, self.path, token, self.log) = (core, path, connection.token, log)
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    count += bytes.count
    sum = bytes.reduce(sum) { ($0 &* 31) &+ UInt64($1) }
    if path == "/early" { core.connection(for: token)?.answer(HTTPResponse(status: 409)) }
    guard path == "/slow" else { return true }
    core.siblings[core.index].post { [token] in $0.core.connection(for: token).map { BodyExchange($0).resume() } }
    return false
  }

  func ended() {
    core.connection(for: token)?.answer(HTTPResponse(status: 200, body: Array("\(count) \(sum)".utf8)))
  }

  func brokeOff() {
    precondition(!hasBrokenOff, "a body breaks off once")
    hasBrokenOff = true
    log.note("broken off after \(count)")
  }

  /// The answer to a body.
  static func answer(to body: [UInt8]) -> String {
    "\(body.count) \(body.reduce(UInt64(0)) { ($0 &* 31) &+ UInt64($1) })"
  }
}

/// Gives a body whose bytes are their own numbers, modulo 251.
final class CommandSource: AnswerSource {
  private unowned let core: ShardCore
  private let token: UInt64
  private var given = 0

  init(_ core: ShardCore, _ connection: Connection) { (self.core, token) = (core, connection.token) }

  func read(_ count: Int) {
    let piece = Self.bytes(given..<given + count)
    given += count
    core.siblings[core.index].post { [token] in
      $0.core.connection(for: token).map { BodyExchange($0).goOn(with: piece) }
    }
  }

  static func bytes(_ range: Range<Int>) -> [UInt8] { range.map { UInt8($0 % 251) } }
}
