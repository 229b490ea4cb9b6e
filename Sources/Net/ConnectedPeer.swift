// All that is known and kept of a connected peer, whichever shard serves it: its transport, what has come from it, what
// waits to be sent, and its times.
//
// One object, owned by one connection and used on its shard's thread. A connection that moves hands it over whole, so
// nothing in it belongs to a shard.
import WebSocket

package final class ConnectedPeer {
  var transport: Transport
  /// This end's.
  let role: Role
  /// The peer's; behind a trusted proxy that proxy's client's.
  var address: SocketAddress
  /// Whether the quota counts the connection by its address; false while only a proxy is known.
  var isCountedByAddress: Bool
  /// The subprotocol that was agreed upon; nil when none was asked for.
  var subprotocol: String?
  private var deflateBits: UInt8 = 0
  /// What to compress with for this peer; nil when it takes nothing compressed.
  var deflateWindowBits: Int? {
    get { deflateBits == 0 ? nil : Int(deflateBits) }
    set { deflateBits = UInt8(newValue ?? 0) }
  }

  /// Takes no message before messages flow.
  var decoder: MessageDecoder
  /// When the first byte came of a message of which more is awaited; `.distantFuture` when none is.
  var messageBegan = Timestamp.distantFuture
  /// What was read in an earlier turn that had no time left for it, or before a message that the service is still at.
  var held: [UInt8] = []
  /// Nothing is read until then.
  var pausedUntil: Timestamp?
  var controlFrames: ControlFramePace

  var outbound: Outbound

  var keepalive: Keepalive
  /// When the service wants to be asked about this connection.
  var serviceDeadline: Timestamp?

  init(
    _ transport: Transport,
    role: Role,
    address: SocketAddress,
    isCountedByAddress: Bool,
    messageBytesMax: Int = 0,
    _ limits: NetLimits,
    at now: Timestamp
  ) {
    self.transport = transport
    self.role = role
    self.address = address
    self.isCountedByAddress = isCountedByAddress
    decoder = MessageDecoder(role: role, messageBytesMax: messageBytesMax)
    controlFrames = ControlFramePace(at: now)
    outbound = Outbound(bytesMax: limits.unsentBytesMax)
    keepalive = Keepalive(intervalSeconds: role == .server ? limits.pingIntervalSeconds : 0, at: now)
  }

  /// What the quota counts the connection by; nil when it does not.
  var countedAddress: IPAddress? { isCountedByAddress ? address.ip : nil }

  /// The same peer with nothing of its transport's session and of its data: what is left on a shard that it has moved
  /// from.
  func remains(_ limits: NetLimits, at now: Timestamp) -> ConnectedPeer {
    let remains = ConnectedPeer(
      Transport(socket: transport.socket),
      role: role,
      address: address,
      isCountedByAddress: isCountedByAddress,
      limits,
      at: now
    )
    remains.subprotocol = subprotocol
    remains.deflateBits = deflateBits
    return remains
  }
}
