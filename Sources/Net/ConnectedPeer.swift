// The state of a connected peer that no shard owns: its transport, received and unsent bytes, and times.
//
// One object, owned by one connection and used on its shard's queue. A connection that moves hands it over whole.
import WebSocket

package final class ConnectedPeer {
  // First what each message and each tick looks at.
  var transport: Transport
  /// The number of bytes that wait for the kernel.
  private(set) var unsentBytes = 0
  /// Bytes read in an earlier turn that ran out of time, or behind a message that the service still handles.
  var held: [UInt8] = []
  /// The end of a pause in reading; nil without a pause.
  var pausedUntil: Timestamp?
  var keepalive: Keepalive
  /// The time at which an unfinished message began; `.distantFuture` when none is unfinished.
  var messageBegan = Timestamp.distantFuture
  /// The decoder of messages; it accepts none before the connection is open.
  var decoder: MessageDecoder
  private(set) var outbound: Outbound {
    didSet { unsentBytes = outbound.queue.count }
  }

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

  var controlFrames: ControlFramePace
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

  /// Hands all of it over to a new object, for another shard. This one stays, without the transport's session and
  /// without data. Only the decoder is swapped: a property that is swapped anywhere is checked at each access.
  func handOver(_ limits: NetLimits, at now: Timestamp) -> ConnectedPeer {
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
    successor.transport = transport
    successor.held = held
    successor.pausedUntil = pausedUntil
    successor.keepalive = keepalive
    successor.messageBegan = messageBegan
    swap(&successor.decoder, &decoder)
    successor.outbound = outbound
    successor.controlFrames = controlFrames
    successor.serviceDeadline = serviceDeadline
    transport = Transport(socket: transport.socket)
    held = []
    pausedUntil = nil
    messageBegan = .distantFuture
    outbound = Outbound(bytesMax: limits.unsentBytesMax)
    serviceDeadline = nil
    return successor
  }
}

// The waiting bytes. They are taken out, changed and put back: a change in place would make each look at them a checked
// access. No call that is made meanwhile looks at them.
extension ConnectedPeer {
  /// Queues what `frame` appends, given the mask for a client's frame.
  @inline(__always)
  func queue(mask: UInt32?, _ shard: ShardResources, _ frame: (_ bytes: inout [UInt8], _ mask: UInt32?) -> Void) {
    var queue = takeQueue()
    if queue.isWithoutBuffer { queue.lend(shard.takeBuffer()) }
    let before = queue.count
    frame(&queue.bytes, mask)
    let messageBytes = queue.count - before
    outbound.putBack(consume queue, messageBytes: messageBytes, behindBytes: shard.limits.behindBytes)
  }

  /// Sends the queue.
  ///
  /// - Parameters:
  ///   - shard: the shard, which gets the buffer of a queue that is sent whole.
  ///   - transmit: sends the bytes, and returns the number of bytes that the kernel has taken.
  /// - Returns: whether the kernel has taken all of them.
  @inline(__always)
  func sendQueue(_ shard: ShardResources, _ transmit: (UnsafeRawBufferPointer) -> Int) -> Bool {
    var queue = takeQueue()
    let sentBytes = queue.withUnsent(transmit)
    queue.drop(sentBytes)
    let isEmpty = queue.isEmpty
    if isEmpty { shard.giveBack(queue.takeBuffer()) }
    outbound.putBack(consume queue, sentBytes: sentBytes)
    return isEmpty
  }

  /// Queues the bytes of a tick that the kernel has not taken.
  func queue(rest first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer, sentBytes: Int) {
    changeOutbound { outbound in
      outbound.noteLength(first.count + second.count)
      if sentBytes < first.count { outbound.queue.append(UnsafeRawBufferPointer(rebasing: first[sentBytes...])) }
      outbound.queue.append(UnsafeRawBufferPointer(rebasing: second[max(0, sentBytes - first.count)...]))
    }
  }

  /// See `Outbound.noteWaiting`.
  func noteWaiting(at now: Timestamp, _ budget: UnsentBudget) -> Bool {
    changeOutbound { $0.noteWaiting(acknowledged: transport.socket.acknowledgedBytes, at: now, budget) }
  }

  /// See `Outbound.isTakingTooLittle`.
  func isTakingTooLittle(at now: Timestamp, _ limits: NetLimits) -> Bool {
    changeOutbound { $0.isTakingTooLittle(acknowledged: transport.socket.acknowledgedBytes, at: now, limits) }
  }

  /// Changes the queue and the measurement of the peer's pace. For rare changes: it copies all of both.
  func changeOutbound<Result>(_ body: (inout Outbound) -> Result) -> Result {
    var changed = outbound
    outbound.queue = SendQueue()
    let result = body(&changed)
    precondition(outbound.queue.isWithoutBuffer, "nothing is queued while the queue is taken out")
    outbound = changed
    return result
  }

  private func takeQueue() -> SendQueue {
    let queue = outbound.queue
    outbound.queue = SendQueue()
    return queue
  }
}
