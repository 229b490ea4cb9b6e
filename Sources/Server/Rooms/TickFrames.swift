// One tick on its way to a room's players: framed once for each encoding, and counted.
//
// A value of one shard, reused for every tick.
import Game
import Gateway
import MadangProtocol
import Net
import WebSocket

struct TickFrames {
  private var json: SharedFrames
  private var proto: SharedFrames
  /// Whether the tick has chats, which players may have blocked.
  private var hasChats = false
  /// The number of frames that were handed to connections.
  private(set) var count = 0
  /// The number and bytes of those that are the same for all.
  private(set) var sharedCount = 0
  private(set) var sharedBytes = 0

  init() {
    json = SharedFrames(.text)
    proto = SharedFrames(.binary)
  }

  /// Without memory, while the real ones are in use.
  static let empty = TickFrames()

  /// The number of compressed ticks so far.
  var compressions: Int { json.compressions + proto.compressions }

  /// Begins with a new tick.
  mutating func begin(_ tick: Tick) {
    next(tick)
    count = 0
    sharedCount = 0
    sharedBytes = 0
  }

  /// Goes on with another part of the tick.
  mutating func next(_ part: Tick) {
    json.clear()
    proto.clear()
    hasChats = part.hasChats
  }

  /// Sends the tick's frame and one player's own messages. The frame is made for the first receiver that needs it;
  /// a player who has blocked an author of its chats gets a tick of their own.
  mutating func send(
    to session: Session,
    _ own: UnsafeRawBufferPointer,
    of room: RoomID,
    from context: RoomContext
  ) {
    let connection = session.connection
    if hasChats, context.effects.tick.hasChats(of: session.blocked) {
      session.send(tick: context.effects.tick, of: room)
      connection.send(frames: own, UnsafeRawBufferPointer(start: nil, count: 0))
      count += 1
      return
    }
    let subprotocol = session.subprotocol
    let sentBytes =
      switch subprotocol {
      case .json:
        json.send(to: connection, own, on: context.core) { subprotocol.append(context.effects.tick, of: room, to: &$0) }
      case .proto:
        proto.send(to: connection, own, on: context.core) {
          subprotocol.append(context.effects.tick, of: room, to: &$0)
        }
      }
    guard let sentBytes else { return }
    count += 1
    sharedCount += 1
    sharedBytes += sentBytes
  }
}
