// The fixed peer: the two works of the benchmark on SwiftNIO, as its own examples would write them.
//
// Serves until its standard input ends, so that it never outlives the driver that started it. It must do what
// Madang/BenchService.swift does, no less and no more: whatever differs between the two is measured.
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

#if canImport(Glibc)
  import Glibc
#endif

@main
struct NIOPeer {
  private static let messageBytesMax = 64 * 1_024

  static func main() throws {
    let port = option("--port") ?? 0
    let group = MultiThreadedEventLoopGroup(numberOfThreads: option("--threads") ?? 1)
    let directory = RoomDirectory(group)
    let channel = try bootstrap(group, directory).bind(host: "127.0.0.1", port: port).wait()
    print("ready 127.0.0.1:\(channel.localAddress?.port ?? 0)")
    fflush(nil)
    while readLine() != nil {}
    try channel.close().wait()
    try group.syncShutdownGracefully()
  }

  private static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ directory: RoomDirectory) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4_096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: messageBytesMax,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, head in
              channel.eventLoop.makeCompletedFuture { try serve(head.uri, on: channel, directory) }
            }
          )
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
          )
        }
      }
  }

  /// `/echo`, or `/room?room=K`.
  private static func serve(_ uri: String, on channel: any Channel, _ directory: RoomDirectory) throws {
    let pipeline = channel.pipeline.syncOperations
    if uri == "/echo" {
      try pipeline.addHandler(EchoHandler())
    } else if uri.hasPrefix("/room?room="), let number = Int(uri.dropFirst("/room?room=".count)), number >= 0 {
      let encoder = try pipeline.context(handlerType: WebSocketFrameEncoder.self)
      try pipeline.addHandler(RoomHandler(directory.room(number), behind: encoder))
    } else {
      channel.close(promise: nil)
    }
  }

  private static func option(_ name: String) -> Int? {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    return Int(arguments[index + 1])
  }
}
