// The executor that makes a shard's queue the isolation of its actor, and knows which thread runs the shard now.
//
// Any thread may enqueue. A shard runs on one thread at a time: a worker of Dispatch that serves its queue, or the
// thread of a simulation.
// Decisions: 001 (docs/decisions).
import CLinux
import Glibc
import Synchronization

/// Runs a shard's jobs in its turns.
package final class ShardExecutor: SerialExecutor {
  let mailbox: Mailbox
  /// The thread that runs the shard now; 0 while none does.
  private let thread = Atomic<UInt>(0)

  init() throws(NetError) {
    mailbox = try Mailbox()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    mailbox.put(.job(UnownedJob(job)))
  }

  package func checkIsolated() {
    precondition(thread.load(ordering: .relaxed) == pthread_self(), "a shard's state is used on its own queue")
  }

  /// The calling thread runs the shard from now on.
  func takeThisThread() {
    thread.store(pthread_self(), ordering: .relaxed)
  }

  /// No thread runs the shard any more.
  func leaveThread() {
    thread.store(0, ordering: .relaxed)
  }

  func run(_ item: Mailbox.Item) {
    switch item {
    case .work(let body): body()
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
