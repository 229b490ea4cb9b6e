// Plain HTTP: health, and features' answers by the first component of a path, behind `v1` by the first two.
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

  /// Whether a feature answers the request in a later turn.
  package func answersLater(_ head: RequestHead, from address: SocketAddress, on connection: Connection) -> Bool {
    let (route, request) = route(of: head, from: address)
    guard let answer = laterRoutes[route] else { return false }
    answer(request, connection)
    return true
  }

  /// The treatment of a request that brings a body.
  package func admitBody(of head: RequestHead, from address: SocketAddress, on connection: Connection) -> BodyAdmission
  {
    let (route, request) = route(of: head, from: address)
    return bodyRoutes[route]?(request, connection) ?? .refused(HTTPFailure.methodNotAllowed.response)
  }

  /// The components that lead to a feature, in lower case.
  private func route(of head: RequestHead, from address: SocketAddress) -> (route: String, HTTPRequest) {
    let path = Array(head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    let first = path.first?.lowercased() ?? ""
    let route = first == "v1" && path.count > 2 ? "v1/\(path[1])" : first
    return (route, HTTPRequest(head: head, path: path, address: address))
  }
}
