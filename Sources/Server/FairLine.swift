// A line of jobs in which payers are served by the time that their jobs have taken. A value, guarded by its owner.
//
// The next job is the payer's who has had the least time, and among equals the one that came first. So a new payer
// waits for a job under way, and not for those of payers who have had their share. A payer who comes back has the time
// that was spent on them, less what the others have had since.
// Decisions: 127 (docs/decisions).
import DequeModule

package struct FairLine<Payer: Hashable & Sendable, Job: Sendable>: Sendable {
  private struct Account: Sendable {
    var jobs: Deque<(number: UInt64, job: Job)> = []
    var running = 0
    /// The time that the payer's jobs have taken, from the line's floor on; microseconds.
    var spentMicroseconds: Int64
  }

  /// The time that a job counts for until it has ended; microseconds.
  private static var expectedMicroseconds: Int64 { 1_000_000 }
  /// The accounts above which those without jobs are forgotten.
  private static var accountsMax: Int { 4_096 }

  private var accounts: [Payer: Account] = [:]
  /// The least time of a payer who is served: a new one begins there.
  private var floorMicroseconds: Int64 = 0
  private var jobsCount: UInt64 = 0

  package init() {}

  package mutating func append(_ job: Job, of payer: Payer) {
    if accounts.count > Self.accountsMax {
      accounts = accounts.filter { !$0.value.jobs.isEmpty || $0.value.running > 0 }
    }
    jobsCount += 1
    var account = accounts[payer] ?? Account(spentMicroseconds: floorMicroseconds)
    account.spentMicroseconds = max(account.spentMicroseconds, floorMicroseconds)
    account.jobs.append((jobsCount, job))
    accounts[payer] = account
  }

  /// The next job, which then is under way until `end`; nil where none waits.
  package mutating func takeNext() -> (payer: Payer, job: Job)? {
    let waiting = accounts.compactMap { payer, account in
      account.jobs.first.map { (payer: payer, spent: account.spentMicroseconds, number: $0.number) }
    }
    guard let next = waiting.min(by: { ($0.spent, $0.number) < ($1.spent, $1.number) }),
      let job = accounts[next.payer]?.jobs.popFirst()?.job
    else { return nil }
    floorMicroseconds = max(floorMicroseconds, next.spent)
    accounts[next.payer]?.running += 1
    accounts[next.payer]?.spentMicroseconds += Self.expectedMicroseconds
    return (next.payer, job)
  }

  /// A payer's job that was under way has ended.
  package mutating func end(of payer: Payer, afterMicroseconds microseconds: Int64) {
    guard var account = accounts[payer], account.running > 0 else {
      preconditionFailure("only a job under way ends")
    }
    account.running -= 1
    account.spentMicroseconds += max(0, microseconds) - Self.expectedMicroseconds
    let isIdle = account.jobs.isEmpty && account.running == 0
    accounts[payer] = isIdle && account.spentMicroseconds <= floorMicroseconds ? nil : account
    // Nobody waits, so nobody is owed anything.
    if accounts.values.allSatisfy({ $0.jobs.isEmpty && $0.running == 0 }) {
      accounts = [:]
      floorMicroseconds = 0
    }
  }
}
