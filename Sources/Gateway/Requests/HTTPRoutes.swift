// Plain HTTP: health, and features' answers by the first component of a path.
//
// Part of the gateway, on the shard's queue.
import Net
import WebSocket

extension ShardGateway {
  package func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    let path = Array(head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    switch (path.first?.lowercased(), path.count) {
    case ("healthz", 1):
      return .text(200, "ok\n")
    case ("readyz", 1):
      guard !isDraining else { return .text(503, "going down\n") }
      return canPromise ? .text(200, "ready\n") : .text(503, "nothing can be committed\n")
    case ("v1", 2) where path.last == "play":
      return HTTPResponse(
        status: 426,
        headers: [HeaderField("Upgrade", "websocket"), HeaderField("Content-Type", "text/plain; charset=utf-8")],
        body: Array("this is a WebSocket: see PROTOCOL.md\n".utf8)
      )
    case (let first?, _):
      return routes[first]?(HTTPRequest(head: head, path: path, address: address)) ?? .notFound
    default:
      return .notFound
    }
  }
}
