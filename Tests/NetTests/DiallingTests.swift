// Connections in the client's role: shards that dial other shards.
import Net
import TestSupport
import Testing
import WebSocket

@Suite struct DiallingTests {
  private final class Context {}

  /// Dials and gives the connection's token.
  private func dial(_ port: UInt16, path: String = "/", from shards: TestShards) throws -> UInt64 {
    let address = try ResolvedAddress(host: "127.0.0.1", port: port)
    let token = try shards.on(0) { shard -> UInt64? in
      let request = UpgradeRequest(
        host: "127.0.0.1",
        path: path,
        subprotocols: [CommandService.subprotocol],
        nonce: Array(repeating: 1, count: 16)
      )
      return try? shard.core.dial(address, request, messageBytesMax: 1_000, context: Context()).token
    }
    return try #require(token)
  }

  @Test("A dialled connection opens with the subprotocol, and its masked close is answered")
  func opens() throws {
    let (server, client) = (try TestShards(), try TestShards())
    let token = try dial(server.address.port, from: client)
    try client.log.wait(for: "0 opened \(token)")
    let subprotocol = try client.on(0) { shard in
      let connection = shard.core.connection(for: token)
      let subprotocol = connection?.subprotocol
      connection?.close(4100, "enough")
      return subprotocol
    }
    #expect(subprotocol == CommandService.subprotocol)
    try server.log.wait(for: "0 closed 4100")
    try client.log.wait(for: "0 closed 4100")
  }

  @Test("A refused dial is reported as closed, never as opened")
  func refused() throws {
    let (server, client) = (try TestShards(), try TestShards())
    _ = try dial(server.address.port, path: "/no", from: client)
    #expect(try client.log.wait(for: "0 closed nil") == ["0 closed nil"])
  }

  @Test("A dial to a closed port is reported as closed, too")
  func nobodyListens() throws {
    let (server, client) = (try TestShards(), try TestShards())
    let port = server.address.port
    try server.stop()
    _ = try dial(port, from: client)
    #expect(try client.log.wait(for: "0 closed nil") == ["0 closed nil"])
  }
}
