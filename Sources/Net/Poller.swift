// One epoll set: it reports to a shard which of its sockets are ready, and that its mailbox has items.
//
// Owned by one shard and used on its queue. Bytes not read in one turn are reported again in the next, unless a socket
// asks to be reported once for each arrival: then the kernel need not look a second time at a socket that has been read
// empty. `epoll_data` is a token, never a pointer, for an event may still be under way when its connection is gone.
import CLinux
import Glibc

struct Poller {
  private let descriptor: Int32
  private let events: UnsafeMutableBufferPointer<epoll_event>

  /// The mailbox's token; no connection has it.
  static let mailboxToken = UInt64.max

  struct Interest: OptionSet {
    let rawValue: UInt32
    static let read = Interest(rawValue: UInt32(EPOLLIN.rawValue))
    static let write = Interest(rawValue: UInt32(EPOLLOUT.rawValue))
    /// The peer has sent its last byte, even if earlier bytes are unread.
    static let peerEnd = Interest(rawValue: UInt32(EPOLLRDHUP.rawValue))
    /// Each arrival is reported once. A reader who leaves bytes behind asks anew by `change`, or remembers them.
    static let once = Interest(rawValue: UInt32(EPOLLET.rawValue))
  }

  struct Readiness {
    let token: UInt64
    fileprivate let bits: UInt32

    /// Whether bytes, the end or an error wait to be read.
    var isReadable: Bool { bits & UInt32(EPOLLIN.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
    /// Whether bytes wait to be read and nothing else is reported.
    var isOnlyReadable: Bool { bits == UInt32(EPOLLIN.rawValue) }
    /// Whether the connection is over in both directions; the kernel reports it even if not asked.
    var isHungUp: Bool { bits & UInt32(EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
    var hasPeerEnded: Bool { bits & UInt32(EPOLLRDHUP.rawValue) != 0 }
    var isWritable: Bool { bits & UInt32(EPOLLOUT.rawValue) != 0 }
  }

  init(eventsMax: Int, mailbox: Mailbox) throws(NetError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw NetError("can't make an epoll set", errno: errno) }
    events = .allocate(capacity: eventsMax)
    let isSet = control(EPOLL_CTL_ADD, mailbox.descriptor, .read, token: Self.mailboxToken)
    precondition(isSet, "a mailbox can be added to a new epoll set")
  }

  /// A second descriptor of the set, which is readable while any of the watched descriptors is ready. It belongs to the
  /// caller, and lasts when this one is closed.
  ///
  /// - Throws: `NetError` when the system has no descriptor left.
  func duplicateDescriptor() throws(NetError) -> Int32 {
    let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { throw NetError("can't duplicate an epoll set", errno: errno) }
    return duplicate
  }

  /// False when the kernel has no memory or no place for one more.
  func add(_ socket: Socket, _ interest: Interest, token: UInt64) -> Bool {
    control(EPOLL_CTL_ADD, socket.descriptor, interest, token: token)
  }

  func change(_ socket: Socket, _ interest: Interest, token: UInt64) {
    let isChanged = control(EPOLL_CTL_MOD, socket.descriptor, interest, token: token)
    precondition(isChanged, "a watched descriptor can be changed")
  }

  func remove(_ socket: Socket) {
    let isRemoved = control(EPOLL_CTL_DEL, socket.descriptor, [], token: 0)
    precondition(isRemoved, "a watched descriptor can be removed")
  }

  /// Waits for ready sockets for so many milliseconds, or without limit with -1. Returns their number; `readiness(_:)`
  /// gives each.
  func wait(milliseconds: Int32) -> Int {
    let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds)
    precondition(count >= 0 || errno == EINTR, "an epoll set can be waited on")
    return max(0, Int(count))
  }

  func readiness(_ index: Int) -> Readiness {
    Readiness(token: events[index].data.u64, bits: events[index].events)
  }

  func close() {
    _ = Glibc.close(descriptor)
    events.deallocate()
  }

  private func control(_ operation: Int32, _ target: Int32, _ interest: Interest, token: UInt64) -> Bool {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
    return epoll_ctl(descriptor, operation, target, &event) == 0
  }
}
