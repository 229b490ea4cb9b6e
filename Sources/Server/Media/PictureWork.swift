// The threads on which pictures are cleaned, and the program for it. Any thread may use it.
//
// Half of the cores at most work on pictures, so that rooms have the others. Networks are served by the time that their
// pictures have taken: one that sends many, or large ones, delays another by the pictures under way.
// Decisions: 127 (docs/decisions).
import Dispatch
import Gateway
import Glibc
import Locks
import Net

package final class PictureWork: Sendable {
  private struct State: Sendable {
    var line = FairLine<SharingNetwork, @Sendable () -> Void>()
    var shares = NetworkShares(bound: PictureWork.waitingMax)
    /// The numbers of the threads that have nothing to do.
    var idle: [Int]
  }

  /// The most pictures that wait; each is a file on the disk.
  package static let waitingMax = 1_024

  /// Nil where no pictures are taken.
  let program: PictureProgram?
  /// The formats that are taken.
  let formats: Set<PictureFormat>
  private let queues: [DispatchQueue]
  private let state: OrderedMutex<State>
  private let clock: any Clock

  /// Begins without work. There are `threads` of them, by default one for two cores; `clock` measures what a picture
  /// takes.
  init(_ program: PictureProgram?, threads: Int? = nil, clock: any Clock = SystemClock()) {
    self.program = program
    formats = program?.formats ?? []
    let count = threads ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2)
    queues = (0..<count).map { DispatchQueue(label: "madang.pictures.\($0)", qos: .utility) }
    state = OrderedMutex(.leaf, State(idle: Array(0..<count)))
    self.clock = clock
  }

  /// Without a program, for tests of the order.
  package convenience init(threads: Int, clock: any Clock) {
    self.init(nil, threads: threads, clock: clock)
  }

  /// The pictures that wait or are worked on: all, and those of the network with the most.
  package var waiting: (inAll: Int, ofNetwork: Int) {
    state.withLock { ($0.shares.used, $0.shares.usedByNetwork) }
  }

  /// The bound of a network beside which no picture waits.
  static let waitingMaxOfNetwork = NetworkShares(bound: waitingMax).boundOfNetwork

  /// Runs `body` when it is the network's turn; the verdict says whether it will.
  package func run(for network: SharingNetwork, _ body: @escaping @Sendable () -> Void) -> NetworkShares.Verdict {
    let verdict = state.withLock { state in
      let verdict = state.shares.take(1, for: network)
      if case .taken = verdict { state.line.append(body, of: network) }
      return verdict
    }
    if case .taken = verdict { beginNext() }
    return verdict
  }

  /// Begins the next picture, unless none waits or all threads are at work.
  private func beginNext() {
    let next = state.withLock { state -> (thread: Int, network: SharingNetwork, work: @Sendable () -> Void)? in
      guard let thread = state.idle.last, let (network, work) = state.line.takeNext() else { return nil }
      state.idle.removeLast()
      return (thread, network, work)
    }
    guard let next else { return }
    queues[next.thread].async { [self] in
      let began = clock.now()
      next.work()
      let took = clock.now().microseconds(since: began)
      state.withLock { state in
        state.line.end(of: next.network, afterMicroseconds: took)
        state.shares.giveBack(1, of: next.network)
        state.idle.append(next.thread)
      }
      beginNext()
    }
  }
}
