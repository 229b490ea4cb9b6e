// A client that lists the schools that may be chosen, before any bot taps: says hello and pages through the list.
//
// Owned by one shard of its own.
import MadangProtocol
import Net
import WebSocket

final class SchoolListing: ShardService {
  private unowned let core: ShardCore
  private let target: ServerTarget
  private let most: Int
  private let secret: String
  private var connection: Connection?
  private var schools: [String] = []
  private var cursor = ""
  private var nextID: UInt32 = 0
  private var completion: ((Outcome) -> Void)?

  /// The schools found, or the reason of the failure.
  enum Outcome: Sendable {
    case found([String])
    case failed(String)
  }

  /// The pace, below the messages a second that the server accepts.
  private static let betweenPagesMilliseconds = 1_100 / Int64(Limits.messagesPerSecond)

  private init(_ core: ShardCore, _ target: ServerTarget, most: Int, secret: String) {
    self.core = core
    self.target = target
    self.most = most
    self.secret = secret
  }

  /// The first `most` schools of the list, or all if there are fewer.
  static func schools(of target: ServerTarget, most: Int, secret: String) async throws -> Outcome {
    let group = try ShardGroup(count: 1) { SchoolListing($0, target, most: most, secret: secret) }
    let outcome = await withCheckedContinuation { continuation in
      ServiceShards<SchoolListing>(group.shards)[0].post { listing in
        listing.begin { continuation.resume(returning: $0) }
      }
    }
    await withCheckedContinuation { continuation in group.stop { continuation.resume() } }
    return outcome
  }

  private func begin(_ completion: @escaping (Outcome) -> Void) {
    self.completion = completion
    do throws(NetError) {
      connection = try target.dial(on: core, context: self)
    } catch {
      end(.failed(error.description))
    }
  }

  private func end(_ outcome: Outcome) {
    completion?(outcome)
    completion = nil
  }

  private func request(_ body: WireClientMessage.OneOf_Body) {
    nextID += 1
    if let connection { target.send(body, id: nextID, on: connection) }
  }

  func opened(_ connection: Connection) {
    var hello = WireHello()
    hello.nickname = "schools"
    hello.deviceSecret = secret
    request(.hello(hello))
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let message = try? target.subprotocol.decodeServerMessage(bytes) else {
      return end(.failed("an unreadable message"))
    }
    switch message.body {
    case .welcome: ask()
    case .schools(let page): take(page)
    case .error(let error) where error.code == .rateLimited: ask(afterMilliseconds: Int64(max(1, error.retryAfterMs)))
    case .error(let error): end(.failed(error.code.name))
    default: break
    }
  }

  private func ask() {
    var search = WireSearchSchools()
    search.limit = UInt32(Limits.schoolsLimit.upperBound)
    search.cursor = cursor
    request(.searchSchools(search))
  }

  private func take(_ page: WireSchools) {
    schools += page.schools.map(\.schoolID)
    cursor = page.nextCursor
    guard cursor.isEmpty || schools.count >= most else {
      return ask(afterMilliseconds: Self.betweenPagesMilliseconds)
    }
    end(schools.isEmpty ? .failed("no schools") : .found(Array(schools.prefix(most))))
    connection?.close(1000, "")
  }

  private func ask(afterMilliseconds milliseconds: Int64) {
    _ = core.setTimer(0, at: core.readClock().advanced(milliseconds: milliseconds))
  }

  func timerFired(_ token: UInt64) { ask() }

  func closed(_ connection: Connection) { end(.failed("the connection was lost")) }

  // It serves nothing and never moves.

  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    preconditionFailure("bots don't listen")
  }

  func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    preconditionFailure("bots don't listen")
  }

  func adopted(_ connection: Connection, carrying cargo: any Sendable) {
    preconditionFailure("bots don't move")
  }

  func deadlinePassed(_ connection: Connection) {}
}
