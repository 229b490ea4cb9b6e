// The state of a connected peer that no shard owns: its transport, received and unsent bytes, and times.
//
// One object, owned by one connection and used on its shard's queue. A connection that moves hands it over whole.
import WebSocket

package final class ConnectedPeer {
  var transport: Transport
  /// The role of this end.
  let role: Role
  /// The peer's address; behind a trusted proxy, the address of that proxy's client.
  var address: SocketAddress
  /// Whether the quota counts the connection by its address; false while only a proxy is known.
  var isCountedByAddress: Bool
  /// The subprotocol that was agreed upon; nil when none was asked for.
  var subprotocol: String?
  private var deflateBits: UInt8 = 0
  /// The window to compress with for this peer; nil when it accepts nothing compressed.
  var deflateWindowBits: Int? {
    get { deflateBits == 0 ? nil : Int(deflateBits) }
    set { deflateBits = UInt8(newValue ?? 0) }
  }

  /// The decoder of messages; it accepts none before the connection is open.
  var decoder: MessageDecoder
  /// The time at which an unfinished message began; `.distantFuture` when none is unfinished.
  var messageBegan = Timestamp.distantFuture
  /// Bytes read in an earlier turn that ran out of time, or behind a message that the service still handles.
  var held: [UInt8] = []
  /// The end of a pause in reading; nil without a pause.
  var pausedUntil: Timestamp?
  var controlFrames: ControlFramePace

  var outbound: Outbound

  var keepalive: Keepalive
  /// The time at which the service wants to be asked about this connection.
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

  /// The address under which the quota counts the connection; nil when it does not.
  var countedAddress: IPAddress? { isCountedByAddress ? address.ip : nil }

  /// The same peer without its transport's session and its data. It stays on the shard that the peer has left.
  func successor(_ limits: NetLimits, at now: Timestamp) -> ConnectedPeer {
    let successor = ConnectedPeer(
      Transport(socket: transport.socket),
      role: role,
      address: address,
      isCountedByAddress: isCountedByAddress,
      limits,
      at: now
    )
    successor.subprotocol = subprotocol
    successor.deflateBits = deflateBits
    return successor
  }
}
