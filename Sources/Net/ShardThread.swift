// The thread of a shard, and the executor that makes it the shard's isolation.
//
// Everything of a shard happens on its thread, one thing after the other, so nothing in it is locked. The thread waits
// in one system call for sockets, time and its mailbox together; a wake-up costs no other thread anything.
// Decisions: 001 (docs/decisions).
import CLinux
import Glibc
import Synchronization

/// Runs a shard's jobs on its thread.
package final class ShardExecutor: SerialExecutor {
  let mailbox: Mailbox
  /// The thread's own identity, once it runs; no thread has 0.
  private let thread = Atomic<UInt>(0)

  init() throws(NetError) {
    mailbox = try Mailbox()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    mailbox.put(.job(UnownedJob(job)))
  }

  package func checkIsolated() {
    precondition(thread.load(ordering: .relaxed) == pthread_self(), "a shard's state is used on its own thread")
  }

  /// Makes the calling thread the shard's own, instead of starting one.
  func takeThisThread() {
    thread.store(pthread_self(), ordering: .relaxed)
  }

  /// Starts the thread, which runs `body` to its end.
  func start(named name: String, _ body: @escaping @Sendable () -> Void) {
    let start = ThreadStart {
      _ = pthread_setname_np(pthread_self(), name)
      self.takeThisThread()
      body()
    }
    var thread = pthread_t()
    let result = pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { preconditionFailure("a shard's thread has a context") }
        Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
        return nil
      },
      Unmanaged.passRetained(start).toOpaque()
    )
    precondition(result == 0, "a thread can be created for each shard")
    pthread_detach(thread)
  }

  func run(_ item: Mailbox.Item) {
    switch item {
    case .work(let body): body()
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}

/// The body of a new thread, on its way there.
private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
