// The echo work: every message back as it came, one flush for what one read brought.
//
// Used on its channel's event loop.
import NIOCore
import NIOWebSocket

final class EchoHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .binary, .text:
      let echo = WebSocketFrame(fin: frame.fin, opcode: frame.opcode, data: frame.unmaskedData)
      context.write(wrapOutboundOut(echo), promise: nil)
    case .connectionClose:
      context.close(promise: nil)
    default:
      break
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
