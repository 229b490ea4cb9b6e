// What players are up to and what befalls them: pieces of a run that know nothing of each other, so that a seed may draw any
// of them together.
import Net
import SeededRandom

/// Something that acts now and then.
protocol Workload {
  /// When it acts next.
  var next: Timestamp { get }

  /// Acts, and sets `next` to a later moment.
  mutating func act(in world: World, at now: Timestamp)
}

extension Plan {
  /// The workloads that are drawn, each with random numbers of its own.
  func makeWorkloads(from start: Timestamp, _ random: inout SplitMix64) -> [any Workload] {
    func draw() -> SplitMix64 { SplitMix64(seed: random.next()) }
    var workloads: [any Workload] = [Gathering(self, from: start, random: draw())]
    if walks {
      switch mode {
      case .territory: workloads.append(Ramble(self, from: start, random: draw()))
      default: workloads.append(Walk(self, from: start, random: draw()))
      }
    }
    if chats { workloads.append(Chatter(self, from: start, random: draw())) }
    if churns { workloads.append(Churn(from: start, random: draw())) }
    if stalls { workloads.append(SlowReaders(from: start, random: draw())) }
    if storms { workloads.append(ReconnectStorm(from: start, random: draw())) }
    if tendsAccounts { workloads.append(Accounts(self, from: start, random: draw())) }
    if taps { workloads.append(Tapping(self, from: start, random: draw())) }
    if let storeFaultMs { workloads.append(StoreTrouble(meanMs: storeFaultMs, from: start, random: draw())) }
    if let crashMs { workloads.append(Crashes(meanMs: crashMs, drainPercent, from: start, random: draw())) }
    if let cutMs { workloads.append(Weather(cutMs: cutMs, from: start, random: draw())) }
    if let operateMs { workloads.append(Operating(meanMs: operateMs, from: start, random: draw())) }
    if isGreedy {
      // From a copy, so that all else of a seed stays as it was.
      var copy = random
      workloads.append(Greed(self, from: start, random: SplitMix64(seed: copy.next())))
    }
    return workloads
  }
}

extension SplitMix64 {
  /// A moment somewhat more or less than so many milliseconds from now.
  mutating func moment(after now: Timestamp, aboutMs: Int) -> Timestamp {
    now.advanced(milliseconds: Int64(draw(max(1, aboutMs / 2)...aboutMs * 3 / 2 + 1)))
  }

  /// One of the players who may be in rooms, have a session and are about nothing that decides where they are.
  mutating func pickFree(of world: World) -> Player? {
    let free = world.players.filter { $0.state == .ready && !$0.isDeciding && !$0.isLoner }
    return free.isEmpty ? nil : pick(free)
  }
}
