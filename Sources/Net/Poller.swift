// One epoll set with one timer in it: a single descriptor that tells when anything of a shard is ready.
//
// Owned by one shard and used on its queue. Level-triggered always: the set is itself watched by a DispatchSourceRead, and
// an edge-triggered set would make that source miss wake-ups. `epoll_data` is a token, never a pointer, for an event may
// still be under way when its connection is gone.
import CLinux
import Glibc

struct Poller {
  /// What watches the whole set.
  let descriptor: Int32
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
    var isWritable: Bool { bits & UInt32(EPOLLOUT.rawValue) != 0 }
  }

  init(eventsMax: Int) throws(NetError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw NetError("can't make an epoll set", errno: errno) }
    timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    guard timer >= 0 else {
      let code = errno
      _ = Glibc.close(descriptor)
      throw NetError("can't make a timer", errno: code)
    }
    events = .allocate(capacity: eventsMax)
    let isTimed = control(EPOLL_CTL_ADD, timer, .read, token: Self.timerToken)
    precondition(isTimed, "a new set takes its timer")
  }

  /// False when the kernel has no memory or no place for one more.
  func add(_ socket: Socket, _ interest: Interest, token: UInt64) -> Bool {
    control(EPOLL_CTL_ADD, socket.descriptor, interest, token: token)
  }

  func change(_ socket: Socket, _ interest: Interest, token: UInt64) {
    let isChanged = control(EPOLL_CTL_MOD, socket.descriptor, interest, token: token)
    precondition(isChanged, "what is watched can be changed")
  }

  func remove(_ socket: Socket) {
    let isRemoved = control(EPOLL_CTL_DEL, socket.descriptor, [], token: 0)
    precondition(isRemoved, "what is watched can be removed")
  }

  /// What is ready now, without waiting: how many, then each by `readiness(_:)`.
  func poll() -> Int {
    while true {
      let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), 0)
      if count >= 0 { return Int(count) }
      precondition(errno == EINTR, "an epoll set can be waited on")
    }
  }

  func readiness(_ index: Int) -> Readiness {
    Readiness(token: events[index].data.u64, bits: events[index].events)
  }

  /// Makes the set ready after `microseconds`, once; nil never.
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
    _ = Glibc.close(timer)
    _ = Glibc.close(descriptor)
    events.deallocate()
  }

  private func control(_ operation: Int32, _ target: Int32, _ interest: Interest, token: UInt64) -> Bool {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
    return epoll_ctl(descriptor, operation, target, &event) == 0
  }
}
