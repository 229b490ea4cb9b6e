// The two works on our stack: `/echo` sends every message back, `/room?room=K` shares positions ten times a second.
//
// Owned by one shard and used on its queue. It must do exactly what NIOPeer/ does: any difference between the two is
// measured. A room lives on the shard of its number. A member on another shard moves there with its first position.
import Net
import WebSocket

final class BenchService: ShardService {
  static let messageBytesMax = 64 * 1_024
  private static let roomQuery = "room="
  private static let notFound = HTTPResponse(status: 404)

  private unowned let core: ShardCore
  private var rooms: [Int: BenchRoom] = [:]

  init(_ core: ShardCore) {
    self.core = core
  }

  // Connections.

  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse { Self.notFound }

  func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    switch head.path {
    case "/echo":
      break
    case "/room":
      guard let query = head.query, query.hasPrefix(Self.roomQuery),
        let number = Int(query.dropFirst(Self.roomQuery.count)), number >= 0
      else { return .refused(Self.notFound) }
      connection.context = Member(connection, room: number)
    default:
      return .refused(Self.notFound)
    }
    return .webSocket(subprotocols: [], messageBytesMax: Self.messageBytesMax, compresses: false)
  }

  func opened(_ connection: Connection) {}

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    guard let member = connection.context as? Member else { return connection.send(kind, bytes) }
    guard bytes.count == PositionMessage.byteCount else { return connection.close(1003, "no position") }
    member.row = bytes.loadUnaligned(fromByteOffset: PositionMessage.rowOffset, as: Row.self)
    if let room = member.room { room.noteChange(of: member) } else { enter(member) }
  }

  private func arrived(_ connection: Connection, room number: Int) {
    let member = Member(connection, room: number)
    connection.context = member
    enter(member)
  }

  func closed(_ connection: Connection) {
    guard let member = connection.context as? Member else { return }
    connection.context = nil
    member.room?.remove(member)
  }

  func deadlinePassed(_ connection: Connection) {}

  // Rooms.

  private func enter(_ member: Member) {
    let home = core.siblings[member.roomNumber % core.siblings.count]
    guard home.index == core.index else {
      return member.connection.move(to: home) { [number = member.roomNumber] core, connection in
        core.service(as: BenchService.self).arrived(connection, room: number)
      }
    }
    let room = rooms[member.roomNumber] ?? makeRoom(member.roomNumber)
    room.add(member)
  }

  private func makeRoom(_ number: Int) -> BenchRoom {
    let room = BenchRoom()
    rooms[number] = room
    scheduleTick(of: room, number)
    return room
  }

  private func scheduleTick(of room: BenchRoom, _ number: Int) {
    room.due = TickHeader.next(ofRoom: number, after: max(core.now, room.due))
    _ = core.setTimer(UInt64(number), at: room.due)
  }

  func timerFired(_ token: UInt64) {
    let number = Int(token)
    guard let room = rooms[number] else { return }
    room.tick()
    scheduleTick(of: room, number)
  }
}
