// The phones of one shard, and what comes for them.
//
// Owned by one shard and used on its queue.
import MadangProtocol
import Net
import WebSocket

final class PhoneService: ShardService {
  private let context: PhoneContext
  private var rooms: [Int: PhoneRoom] = [:]
  private var areBegun = false
  private static let roomEveryMs: Int64 = 3

  init(_ core: ShardCore, _ plan: PhonePlan, runID: UInt64, _ usage: ServerUsage) {
    context = PhoneContext(core, plan, runID: runID, usage)
  }

  func begin(rooms indices: [Int]) {
    for (count, index) in indices.enumerated() {
      let room = PhoneRoom(context, index: index)
      rooms[index] = room
      room.dialFirst(afterMs: Int64(count) * Self.roomEveryMs)
    }
    areBegun = true
  }

  func timerFired(_ token: UInt64) {
    let (room, phone) = Int(token).quotientAndRemainder(dividingBy: context.plan.players)
    rooms[room]?.phones[phone].timerFired()
  }

  func opened(_ connection: Connection) {
    context.results.connects += 1
    (connection.context as? Phone)?.greet()
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let phone = connection.context as? Phone else { return }
    do throws(DecodingFailure) {
      phone.receive(try context.plan.target.subprotocol.decodeServerMessage(bytes))
    } catch {
      context.results.note(error: "UNREADABLE")
    }
  }

  func closed(_ connection: Connection) {
    (connection.context as? Phone)?.closed(connection)
  }

  /// Whether every phone of every room has its result.
  var isFinished: Bool { areBegun && rooms.values.allSatisfy(\.isFinished) }

  /// The results; unfinished work counts as errors.
  func conclude() -> Results {
    for phone in rooms.values.flatMap(\.phones) where !phone.isFinished {
      context.results.note(error: "UNFINISHED")
    }
    return context.results
  }

  // Phones serve nothing and never move.

  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    preconditionFailure("phones don't listen")
  }

  func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    preconditionFailure("phones don't listen")
  }

  func adopted(_ connection: Connection, carrying cargo: any Sendable) {
    preconditionFailure("phones don't move")
  }

  func deadlinePassed(_ connection: Connection) {}
}
