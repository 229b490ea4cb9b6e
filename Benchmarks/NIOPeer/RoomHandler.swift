// The room work of one connection: joins its member to the room, and passes its positions there.
//
// Used on its channel's event loop.
import NIOCore
import NIOWebSocket

final class RoomHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame

  static let positionBytes = 24
  private let home: RoomDirectory.Home
  private let encoder: ChannelHandlerContext
  private var member: Member?

  init(_ home: RoomDirectory.Home, behind encoder: ChannelHandlerContext) {
    self.home = home
    self.encoder = encoder
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let member = Member(behind: encoder)
    self.member = member
    atHome { $0.join(member) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .binary where frame.length == Self.positionBytes:
      let position = frame.unmaskedData
      let words = position.getMultipleIntegers(
        at: position.readerIndex + 8,
        endianness: .little,
        as: (UInt64, UInt64).self
      )
      guard let member, let words else { return }
      atHome { $0.take(Row(first: words.0, second: words.1), of: member) }
    case .connectionClose, .binary, .text:
      context.close(promise: nil)
    default:
      break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let member { atHome { $0.leave(member) } }
    member = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Runs `body` on the room's event loop, at once when that is this one.
  private func atHome(_ body: @escaping @Sendable (Room) -> Void) {
    if home.eventLoop.inEventLoop {
      body(home.room.value)
    } else {
      let room = home.room
      home.eventLoop.execute { body(room.value) }
    }
  }
}
