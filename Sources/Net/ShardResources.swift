// The resources that a shard lends to its connections: its time, limits, timers and epoll set, a read buffer, buffers
// to send from, zlib's streams, and lists of the connections with work left in a turn.
//
// One of each shard, used on its queue only. It knows connections by their tokens.
import Glibc
import WebSocket

final class ShardResources {
  let index: Int
  let limits: NetLimits
  let budgets: ProcessBudgets
  let poller: Poller
  let clock: any Clock
  let time: TurnTime
  var counters = ShardCounters()
  let wheel: TimerWheel
  private var memoryTrim = MemoryTrim()

  /// The buffer in which one connection's bytes are read and parsed.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// The buffer in which the parts of one TLS record are laid end to end.
  var recordRoom: [UInt8] = []
  /// The buffers lent to send queues, so that an answer allocates nothing.
  private let spareBuffers = SpareBuffers()
  /// Each message is compressed without context, so one stream of each kind serves all connections.
  let inflater = Inflater()
  private var deflaters: [Int: Deflater] = [:]
  /// Random masks for frames that go out as a client, made many at once.
  private var masks: [UInt32] = []
  private static let masksAtOnce = 64

  /// Connections with bytes that were queued in this turn, and connections that ended in it.
  let unflushed = TokenList()
  let ended = TokenList()
  /// Connections with work left that readiness won't report: requests, or bytes that TLS has decrypted.
  let resumable = TokenList()
  /// Connections whose bytes wait for the kernel.
  var stalled: Set<UInt64> = []

  init(index: Int, limits: NetLimits, clock: any Clock, budgets: ProcessBudgets, poller: Poller) {
    self.index = index
    self.limits = limits
    self.clock = clock
    self.budgets = budgets
    self.poller = poller
    time = TurnTime(clock, turnMicroseconds: limits.turnMicroseconds)
    wheel = TimerWheel(now: time.now)
    readBuffer = .allocate(byteCount: limits.readBytesMax, alignment: 16)
  }

  deinit {
    readBuffer.deallocate()
  }

  /// The time of this turn.
  var now: Timestamp { time.now }

  var quota: ConnectionQuota { budgets.connections }

  var isTurnOver: Bool { time.isOver }

  /// The connection's queue is sent at the end of the turn. A method here, since a caller that used the list itself
  /// would count a reference to it.
  func flushLater(_ token: UInt64) { unflushed.append(token) }

  /// The length from which messages of a kind are compressed. All limits together would be copied for one of them.
  func compressFromBytes(_ kind: MessageKind) -> Int {
    switch kind {
    case .text: limits.compressTextFromBytes
    case .binary: limits.compressBinaryFromBytes
    }
  }
}

// Timers.
extension ShardResources {
  /// The bit that marks connections' timers; the service's don't have it.
  static let connectionTimerBit: UInt64 = 1 << 63

  func setTimer(forConnection token: UInt64, at time: Timestamp) -> TimerID {
    wheel.schedule(token | Self.connectionTimerBit, at: time)
  }

  /// A TLS handshake has ended.
  func noteHandshake() {
    if memoryTrim.noteHandshake() { setMemoryTimer() }
  }

  func memoryTimerFired() {
    if memoryTrim.timerFired() { setMemoryTimer() }
  }

  private func setMemoryTimer() {
    _ = wheel.schedule(MemoryTrim.timerToken, at: now.advanced(seconds: MemoryTrim.intervalSeconds))
  }
}

// The resources that connections borrow.
extension ShardResources {
  /// The compressor for peers who keep a window of two to the power of `windowBits`.
  func deflater(windowBits: Int) -> Deflater {
    if let deflater = deflaters[windowBits] { return deflater }
    let deflater = Deflater(windowBits: windowBits)
    deflaters[windowBits] = deflater
    return deflater
  }

  /// An empty buffer for a send queue.
  func takeBuffer() -> [UInt8] { spareBuffers.take() }

  /// Keeps an empty buffer for the next send queue that needs one, unless it is large or there are many.
  func giveBack(_ buffer: consuming [UInt8]) { spareBuffers.giveBack(buffer) }

  /// A random mask for a frame that goes out as a client.
  func drawMask() -> UInt32 {
    if masks.isEmpty { fillMasks() }
    return masks.removeLast()
  }

  private func fillMasks() {
    masks = Array(repeating: 0, count: Self.masksAtOnce)
    // The system gives up to 256 bytes at once.
    masks.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress, getentropy(start, bytes.count) == 0 else {
        preconditionFailure("the system has randomness")
      }
    }
  }
}
