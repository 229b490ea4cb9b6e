// The work that other threads hand to a shard, to be done on its queue in the order of arrival.
//
// Any thread may put; only the shard's queue takes. The descriptor becomes readable with the first item and stays so
// until items are taken: a shard that waits for its sockets waits for its mailbox too.
import CLinux
import Glibc
import Locks
import Synchronization

final class Mailbox: Sendable {
  enum Item: Sendable {
    case work(@Sendable () -> Void)
    /// A piece of an asynchronous function that is isolated to the shard.
    case job(UnownedJob)
  }

  private struct State {
    var items: [Item] = []
    var isClosed = false
  }

  /// Readable while items wait, or for good when the box is closed.
  let descriptor: Int32
  private let state = OrderedMutex(.leaf, State())
  private let isTakeable = Atomic<Bool>(false)

  /// - Throws: `NetError` when the system has no descriptor left.
  init() throws(NetError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard descriptor >= 0 else { throw NetError("can't make an event descriptor", errno: errno) }
  }

  deinit {
    _ = Glibc.close(descriptor)
  }

  func put(_ item: Item) {
    // Signalled and taken under the lock, so that the descriptor is readable exactly while something can be taken: one
    // signal too many would wake the shard for ever.
    state.withLock { state in
      precondition(!state.isClosed, "a referenced shard's mailbox is open")
      state.items.append(item)
      if state.items.count == 1 { signal() }
    }
  }

  /// Closes the box: no further item comes, and the shard's queue may end.
  func close() {
    state.withLock { state in
      state.isClosed = true
      signal()
    }
  }

  /// Whether items wait, or the box is closed: `take` should be called.
  var hasItems: Bool { isTakeable.load(ordering: .acquiring) }

  /// Waits for an item or the close, at most so many microseconds.
  func wait(microseconds: Int64) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var time = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
    _ = ppoll(&entry, 1, &time, nil)
  }

  /// Swaps the items that wait for `empty`, whose memory the next items get. False when the box is closed.
  func take(_ empty: inout [Item]) -> Bool {
    state.withLock { state in
      var count: UInt64 = 0
      _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
      isTakeable.store(false, ordering: .releasing)
      swap(&state.items, &empty)
      return !state.isClosed
    }
  }

  /// Called with the lock held.
  private func signal() {
    isTakeable.store(true, ordering: .releasing)
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }
}
