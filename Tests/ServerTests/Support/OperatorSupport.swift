// Operators' actions on a test's server, and their views of it.
import Dispatch
import Game
import MadangProtocol
import Net
import Server
import Store
import TestSupport
import Testing

extension TestServer {
  private static let desk = IPAddress(v4: 0x7F00_0001)

  /// Performs an action as an operator on this machine, and waits for its outcome.
  @discardableResult
  func perform(_ action: OperatorAction) -> OperatorActionOutcome {
    begin(action).take()
  }

  /// Begins an action without waiting.
  func begin(_ action: OperatorAction) -> Box<OperatorActionOutcome> {
    let box = Box<OperatorActionOutcome>()
    server.perform(action, from: Self.desk) { box.put($0) }
    return box
  }

  /// The audit log, oldest first, without the numbers of its rows.
  func audit() throws -> [AuditRow] {
    let box = Box<Result<[AuditRow], StoreFailure>>()
    store.audit(before: nil, limit: 100) { box.put($0) }
    return try box.take().get().reversed()
  }

  func sanctions() throws -> [SanctionRow] {
    let box = Box<Result<[SanctionRow], StoreFailure>>()
    store.sanctions(at: Instant(milliseconds: clock.now().milliseconds), limit: 100) { box.put($0) }
    return try box.take().get()
  }

  func roomID(_ code: String) throws -> RoomID {
    let bits = try #require(RoomCode(code)).bits
    var found: RoomID?
    try store.liveRooms { if $0.row.code == bits { found = $0.row.id } }
    return try #require(found)
  }

  /// The shard that has a room.
  func shard(of code: String) throws -> Shard {
    let wanted = try #require(RoomCode(code))
    return try #require(
      server.shards.first { shard in
        let box = Box<Bool>()
        shard.post { box.put($0.core.service(as: PlayService.self).roomCodes.contains(wanted)) }
        return box.take()
      }
    )
  }

  /// Gives a shard a load, as if it were measured; it is known for two seconds.
  func load(_ shard: Shard, _ share: Double, isOverloaded: Bool = false) {
    shard.post { $0.core.take(ShardLoad(now: $0.core.now, share: share, isOverloaded: isOverloaded)) }
    // Not before the shard has published it.
    _ = messages(on: shard)
  }

  /// Waits until a shard has read this many messages.
  func await(messages count: Int, on shard: Shard) {
    let box = Box<Int>()
    repeat { shard.post { box.put($0.core.counters.messagesIn) } } while box.take() < count
  }

  func messages(on shard: Shard) -> Int {
    let box = Box<Int>()
    shard.post { box.put($0.core.counters.messagesIn) }
    return box.take()
  }
}

/// Pauses a shard until `end`.
final class ShardPause {
  private let started = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)
  private var isOver = false

  /// Pauses the shard from now on.
  convenience init(_ shard: Shard) {
    self.init(afterMailboxOf: shard)
    awaitStart()
  }

  /// A pause that begins when the shard has taken the items already in its mailbox.
  init(afterMailboxOf shard: Shard) {
    shard.post { [started, gate] _ in
      started.signal()
      gate.wait()
    }
  }

  func awaitStart() { started.wait() }

  func end() {
    guard !isOver else { return }
    isOver = true
    gate.signal()
  }

  deinit { end() }
}

extension OperatorActionOutcome {
  var isDone: Bool { if case .refused = self { false } else { true } }

  var refusal: String? { if case .refused(let why, _) = self { why } else { nil } }

  var code: String? { if case .refused(_, let code) = self { code } else { nil } }
}

extension TestPlayer {
  /// The id of the player who says hello.
  func helloID(_ nickname: String, secret: String? = nil) throws -> PlayerID {
    try #require(PlayerID(try hello(nickname, secret: secret).playerID))
  }

  static func resume(_ token: String) -> WireResume {
    var resume = WireResume()
    resume.sessionToken = token
    return resume
  }

  /// The next announcement.
  func announcement() throws -> WireAnnouncement {
    try first { if case .announcement = $0.body { true } else { false } }.announcement
  }

  /// The number of received announcements, when all earlier ones have come.
  func announcementCount() throws -> Int {
    _ = try request(.time(WireTimeRequest()))
    return inbox.count { if case .announcement = $0.body { true } else { false } }
  }

  func awaitRoomClosed() throws {
    _ = try first { if case .roomClosed = $0.body { !$0.hasReplyTo } else { false } }
  }
}
