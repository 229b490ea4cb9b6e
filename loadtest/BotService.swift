// The bots of one shard.
//
// Owned by one shard and used on its thread.
import MadangProtocol
import Net
import WebSocket

/// What all bots are to do.
struct WalkPlan: Sendable {
  let target: ServerTarget
  let rooms: Int
  let players: Int
  let rateHz: Int
  let seconds: Int
  let seed: UInt64
  let tracks: [Track]
  /// Bots hold each board against their own reckoning.
  let checksBoards: Bool

  /// The courses follow from seed, room and bot alone.
  func course(room: Int, bot: Int) -> Course {
    let number = room * players + bot
    guard tracks.isEmpty else { return .track(tracks[number % tracks.count]) }
    return .random(RandomWalk(seed: seed &+ UInt64(number) &* 0x9E37_79B9))
  }
}

final class BotService: ShardService {
  unowned let core: ShardCore
  let plan: WalkPlan
  let runID: UInt64
  var results = Results()
  private var rooms: [Int: BotRoom] = [:]
  private let onRoomBegan: @Sendable () -> Void

  init(_ core: ShardCore, _ plan: WalkPlan, runID: UInt64, onRoomBegan: @escaping @Sendable () -> Void) {
    self.core = core
    self.plan = plan
    self.runID = runID
    self.onRoomBegan = onRoomBegan
  }

  func begin(room index: Int) {
    let room = BotRoom(self, index: index)
    rooms[index] = room
    room.dialFirst()
  }

  func dial(_ bot: Bot) {
    do throws(NetError) {
      bot.connection = try plan.target.dial(on: core, context: bot)
    } catch {
      results.note(error: "CAN'T CONNECT")
    }
  }

  func roomBegan() { onRoomBegan() }

  func setTimer(_ room: Int, at time: Timestamp) {
    _ = core.setTimer(UInt64(room), at: time)
  }

  func timerFired(_ token: UInt64) { rooms[Int(token)]?.walk() }

  func opened(_ connection: Connection) {
    results.connects += 1
    (connection.context as? Bot)?.greet()
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let bot = connection.context as? Bot else { return }
    do throws(DecodingFailure) {
      bot.receive(try plan.target.subprotocol.decodeServerMessage(bytes))
    } catch {
      results.note(error: "UNREADABLE")
    }
  }

  func closed(_ connection: Connection) {
    guard let bot = connection.context as? Bot else { return }
    bot.connection = nil
    if !bot.isFinished { results.note(error: connection.closeCode.map { "CLOSED \($0)" } ?? "DISCONNECTED") }
  }

  /// Every bot of every room has seen its game's end.
  var isFinished: Bool { rooms.values.allSatisfy(\.isFinished) }

  /// The results, with what has not been finished counted as errors.
  func conclude() -> Results {
    for room in rooms.values where !room.isFinished { results.note(error: "UNFINISHED") }
    return results
  }

  // Bots serve nothing and stay where they are.

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
