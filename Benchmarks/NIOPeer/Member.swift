// A member as its room sees it: its seat, and where its frames go.
//
// On two event loops: the seat is used on the room's, frames are written on the member's. A room's frame is whole bytes
// already, made once for all members, so it is written from behind the frame encoder: that would put a header in front
// of it for each member anew.
import NIOCore

final class Member: Sendable {
  /// Its place in the room; nil before it has joined. The room's alone.
  nonisolated(unsafe) var seat: Int?
  private let eventLoop: any EventLoop
  private let encoder: NIOLoopBound<ChannelHandlerContext>

  /// To be called on the event loop of the encoder's channel.
  init(behind encoder: ChannelHandlerContext) {
    eventLoop = encoder.eventLoop
    self.encoder = NIOLoopBound(encoder, eventLoop: encoder.eventLoop)
  }

  func deliver(_ frame: ByteBuffer) {
    if eventLoop.inEventLoop {
      write(frame)
    } else {
      eventLoop.execute { self.write(frame) }
    }
  }

  /// Sends a frame that is made already; a member that is behind gets none.
  private func write(_ frame: ByteBuffer) {
    let encoder = encoder.value
    guard encoder.channel.isWritable else { return }
    encoder.writeAndFlush(NIOAny(frame), promise: nil)
  }
}
