// One epoll set with one timer in it, and around it a second set that a DispatchSourceRead watches: a single descriptor
// that tells when a shard has something to do.
//
//   dispatch source ─► outer ─┬─ (not at a beat) ─► inner ─┬─► sockets, listener
//                             └─ (at a beat) ───────► timer ◄──┘
//
// Owned by one shard and used on its queue. Level-triggered always: an edge-triggered set would make the source miss
// wake-ups. `epoll_data` is a token, never a pointer, for an event may still be under way when its connection is gone.
// A shard under load reads at a beat: the outer set then watches the timer alone, so that a message that arrives wakes
// nobody. (A dispatch source itself can't be paused without trouble; a set inside a set can.)
import CLinux
import Glibc

struct Poller {
  /// What the dispatch source watches.
  let descriptor: Int32
  private let inner: Int32
  private let timer: Int32
  private let events: UnsafeMutableBufferPointer<epoll_event>

  /// The timer's token; no connection has it.
  static let timerToken = UInt64.max

  struct Interest: OptionSet {
    let rawValue: UInt32
    static let read = Interest(rawValue: UInt32(EPOLLIN.rawValue))
    static let write = Interest(rawValue: UInt32(EPOLLOUT.rawValue))
  }

  struct Readiness {
    let token: UInt64
    fileprivate let bits: UInt32

    /// Bytes, the end, or an error wait to be read.
    var isReadable: Bool { bits & UInt32(EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
    /// The connection is over in both directions; the kernel tells of it whether asked or not.
    var isHungUp: Bool { bits & UInt32(EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
    var isWritable: Bool { bits & UInt32(EPOLLOUT.rawValue) != 0 }
  }

  init(eventsMax: Int) throws(NetError) {
    var made: [Int32] = []
    func keep(_ descriptor: Int32, _ what: String) throws(NetError) -> Int32 {
      guard descriptor >= 0 else {
        let code = errno
        for descriptor in made { _ = Glibc.close(descriptor) }
        throw NetError("can't make \(what)", errno: code)
      }
      made.append(descriptor)
      return descriptor
    }
    descriptor = try keep(epoll_create1(Int32(EPOLL_CLOEXEC)), "an epoll set")
    inner = try keep(epoll_create1(Int32(EPOLL_CLOEXEC)), "an epoll set")
    timer = try keep(timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)), "a timer")
    events = .allocate(capacity: eventsMax)
    let isSet =
      Self.control(inner, EPOLL_CTL_ADD, timer, .read, token: Self.timerToken)
      && Self.control(descriptor, EPOLL_CTL_ADD, inner, .read, token: 0)
      && Self.control(descriptor, EPOLL_CTL_ADD, timer, [], token: 0)
    precondition(isSet, "new sets take each other and a timer")
  }

  /// Whether the timer alone makes `descriptor` ready, or everything.
  func wakeAtBeats(_ isAtBeats: Bool) {
    let isSet =
      Self.control(descriptor, EPOLL_CTL_MOD, inner, isAtBeats ? [] : .read, token: 0)
      && Self.control(descriptor, EPOLL_CTL_MOD, timer, isAtBeats ? .read : [], token: 0)
    precondition(isSet, "what is watched can be changed")
  }

  /// False when the kernel has no memory or no place for one more.
  func add(_ socket: Socket, _ interest: Interest, token: UInt64) -> Bool {
    Self.control(inner, EPOLL_CTL_ADD, socket.descriptor, interest, token: token)
  }

  func change(_ socket: Socket, _ interest: Interest, token: UInt64) {
    let isChanged = Self.control(inner, EPOLL_CTL_MOD, socket.descriptor, interest, token: token)
    precondition(isChanged, "what is watched can be changed")
  }

  func remove(_ socket: Socket) {
    let isRemoved = Self.control(inner, EPOLL_CTL_DEL, socket.descriptor, [], token: 0)
    precondition(isRemoved, "what is watched can be removed")
  }

  /// What is ready now, without waiting: how many, then each by `readiness(_:)`.
  func poll() -> Int {
    while true {
      let count = epoll_wait(inner, events.baseAddress, Int32(events.count), 0)
      if count >= 0 { return Int(count) }
      precondition(errno == EINTR, "an epoll set can be waited on")
    }
  }

  func readiness(_ index: Int) -> Readiness {
    Readiness(token: events[index].data.u64, bits: events[index].events)
  }

  /// Makes `descriptor` ready after `microseconds`, once; nil never.
  func setTimer(afterMicroseconds delay: Int64?) {
    var time = itimerspec()
    if let delay {
      let delay = max(delay, 1)
      time.it_value = timespec(tv_sec: Int(delay / 1_000_000), tv_nsec: Int(delay % 1_000_000) * 1_000)
    }
    let result = timerfd_settime(timer, 0, &time, nil)
    precondition(result == 0, "a timer takes a delay")
  }

  /// Takes the timer's readiness back.
  func clearTimer() {
    var fires: UInt64 = 0
    _ = read(timer, &fires, MemoryLayout<UInt64>.size)
  }

  /// After the source that watches the set was cancelled, and only then.
  func close() {
    for descriptor in [timer, inner, descriptor] { _ = Glibc.close(descriptor) }
    events.deallocate()
  }

  private static func control(
    _ set: Int32,
    _ operation: Int32,
    _ target: Int32,
    _ interest: Interest,
    token: UInt64
  ) -> Bool {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
    return epoll_ctl(set, operation, target, &event) == 0
  }
}
