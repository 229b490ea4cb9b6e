// The queue that hashes and checks passwords: a thread beside the shards, as each one takes some tenths of a second on
// purpose.
//
// Any thread. One password at a time, so that no flood of logins takes the shards' cores. Networks take turns, so a
// flooding network delays others by one password of each network and no longer. A request whose connection is gone is
// dropped.
import Cryptography
import DequeModule
import Dispatch
import Gateway
import Locks
import MadangProtocol
import Net
import Synchronization

final class HashingQueue: Sendable {
  /// The network and the cancellation of a request.
  struct Requester: Sendable {
    let network: IPAddress
    let cancellation: Cancellation

    init(network: IPAddress, cancellation: Cancellation) {
      (self.network, self.cancellation) = (network, cancellation)
    }
  }

  /// A flag: the outcome is not needed any more.
  final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
  }

  fileprivate struct Job: Sendable {
    let cancellation: Cancellation
    let work: @Sendable () -> Void
  }

  fileprivate struct State {
    var jobs: [IPAddress: Deque<Job>] = [:]
    /// Networks with jobs, in the order of their turns.
    var turns: Deque<IPAddress> = []
    var waiting = 0
    var isWorking = false
  }

  /// The bound on waiting jobs; each holds a password and a way back to its shard.
  static let waitingMax = 1_024
  /// The bound for one network: five seconds of work.
  static let waitingMaxOfNetwork = 16

  private let queue = DispatchQueue(label: "madang.passwords", qos: .utility)
  private let state = OrderedMutex(.leaf, State())
  private let budgets: Budgets

  init(_ budgets: Budgets) {
    self.budgets = budgets
  }

  /// Checks a password against a hash, or without one against a dummy, which takes as long. False when too many
  /// requests wait. Otherwise `completion` is called on the queue's thread, unless the requester has gone.
  func verify(
    _ password: Password,
    _ hash: String?,
    for requester: Requester,
    _ completion: @escaping @Sendable (Bool) -> Void
  ) -> Bool {
    enter(requester) {
      let isRight = PasswordHash.verify(password.bytes, hash ?? PasswordHash.decoy)
      completion(isRight && hash != nil)
    }
  }

  /// Makes the hash of a new password. False when too many requests wait. Otherwise `completion` is called on the
  /// queue's thread, unless the requester has gone.
  func hash(
    _ password: Password,
    for requester: Requester,
    _ completion: @escaping @Sendable (String) -> Void
  ) -> Bool {
    enter(requester) { completion(PasswordHash.make(of: password.bytes)) }
  }

  /// The number of waiting requests, in all and of the busiest network.
  var waiting: (inAll: Int, ofNetwork: Int) {
    state.withLock { ($0.waiting, $0.jobs.values.map(\.count).max() ?? 0) }
  }

  private func enter(_ requester: Requester, _ work: @escaping @Sendable () -> Void) -> Bool {
    let spent: Budget? = state.withLock { state in
      guard state.waiting < Self.waitingMax else { return .waitingPasswords }
      // A closed connection holds no place.
      state.dropAbsent(of: requester.network)
      guard state.jobs[requester.network]?.count ?? 0 < Self.waitingMaxOfNetwork else {
        return .waitingPasswordsOfAddress
      }
      state.append(Job(cancellation: requester.cancellation, work: work), of: requester.network)
      return nil
    }
    if let spent {
      budgets.noteRefusal(spent)
      return false
    }
    startNext()
    return true
  }

  /// Begins the next job, unless one is under way.
  private func startNext() {
    let next: (@Sendable () -> Void)? = state.withLock { state in
      guard !state.isWorking, let work = state.takeNext() else { return nil }
      state.isWorking = true
      return work
    }
    guard let next else { return }
    queue.async {
      next()
      self.state.withLock { $0.isWorking = false }
      self.startNext()
    }
  }
}

extension HashingQueue.State {
  fileprivate mutating func append(_ job: HashingQueue.Job, of network: IPAddress) {
    if jobs[network] == nil { turns.append(network) }
    jobs[network, default: []].append(job)
    waiting += 1
  }

  /// The first job that is still needed, of the network whose turn it is.
  fileprivate mutating func takeNext() -> (@Sendable () -> Void)? {
    while let network = turns.popFirst() {
      dropAbsent(of: network)
      guard let job = jobs[network]?.popFirst() else {
        jobs[network] = nil
        continue
      }
      waiting -= 1
      if jobs[network]?.isEmpty == true { jobs[network] = nil } else { turns.append(network) }
      return job.work
    }
    return nil
  }

  fileprivate mutating func dropAbsent(of network: IPAddress) {
    guard let before = jobs[network]?.count else { return }
    jobs[network]?.removeAll { $0.cancellation.isCancelled }
    waiting -= before - (jobs[network]?.count ?? 0)
  }
}
