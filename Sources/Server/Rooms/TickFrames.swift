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

  /// The number of compressed ticks so far.
  var compressions: Int { json.compressions + proto.compressions }

  /// Begins with a new tick.
  mutating func begin(_ tick: borrowing Tick) {
    next(tick)
    count = 0
    sharedCount = 0
    sharedBytes = 0
  }

  /// Goes on with another part of the tick.
  mutating func next(_ part: borrowing Tick) {
    json.clear()
    proto.clear()
    hasChats = part.hasChats
  }

  /// Whether a player who has blocked the authors of these chats needs a tick of their own.
  func isWithheld(_ tick: borrowing Tick, from session: Session) -> Bool {
    hasChats && tick.hasChats(of: session.blocked)
  }

  /// Frames the tick for the first receiver of its encoding.
  mutating func fill(_ tick: borrowing Tick, for subprotocol: Subprotocol, of room: RoomID) {
    switch subprotocol {
    case .json: if json.isEmpty { json.fill { subprotocol.append(tick, of: room, to: &$0) } }
    case .proto: if proto.isEmpty { proto.fill { subprotocol.append(tick, of: room, to: &$0) } }
    }
  }

  /// Sends the filled frame and one player's own messages.
  mutating func send(to session: Session, _ own: UnsafeRawBufferPointer) {
    let sentBytes =
      switch session.subprotocol {
      case .json: json.send(to: session.connection, own)
      case .proto: proto.send(to: session.connection, own)
      }
    guard let sentBytes else { return }
    count += 1
    sharedCount += 1
    sharedBytes += sentBytes
  }

  /// Counts a tick that was sent to one player alone.
  mutating func noteOwn() {
    count += 1
  }
}
