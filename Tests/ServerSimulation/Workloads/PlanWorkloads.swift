// The workloads of a run: the players' actions and the faults. They are independent, so that a seed may combine any of
// them.
import Net
import SeededRandom

extension Plan {
  /// The drawn workloads, each with random numbers of its own.
  func makeWorkloads(from start: Timestamp, _ random: inout SplitMix64) -> [any Workload] {
    func draw() -> SplitMix64 { SplitMix64(seed: random.next()) }
    var workloads: [any Workload] = [Gathering(self, from: start, random: draw())]
    if walks {
      switch mode {
      case .territory: workloads.append(TerritoryWalk(self, from: start, random: draw()))
      default: workloads.append(Walk(self, from: start, random: draw()))
      }
    }
    if chats { workloads.append(Chatter(self, from: start, random: draw())) }
    if churns { workloads.append(Churn(from: start, random: draw())) }
    if stalls { workloads.append(SlowReaders(from: start, random: draw())) }
    if storms { workloads.append(ReconnectStorm(from: start, random: draw())) }
    if tendsAccounts { workloads.append(Accounts(self, from: start, random: draw())) }
    if taps { workloads.append(Tapping(self, from: start, random: draw())) }
    if let storeFaultMs { workloads.append(StoreFaults(meanMs: storeFaultMs, from: start, random: draw())) }
    if let crashMs { workloads.append(Crashes(meanMs: crashMs, drainPercent, from: start, random: draw())) }
    if let cutMs { workloads.append(ConnectionFaults(cutMs: cutMs, from: start, random: draw())) }
    if let operateMs { workloads.append(Operating(meanMs: operateMs, from: start, random: draw())) }
    // From a copy, so that the seed's other draws stay the same.
    var copy = random
    if paces { workloads.append(Pacing(from: start, random: SplitMix64(seed: copy.next()))) }
    if isGreedy {
      workloads.append(GreedyPlayer(self, from: start, random: SplitMix64(seed: copy.next())))
    }
    if visits { workloads.append(Visiting(self, from: start, random: SplitMix64(seed: copy.next()))) }
    if writes { workloads.append(Writing(self, from: start, random: SplitMix64(seed: copy.next()))) }
    if fillsShards { workloads.append(FullShards(from: start, random: SplitMix64(seed: copy.next()))) }
    if hostsAct { workloads.append(Hosting(from: start, random: SplitMix64(seed: copy.next()))) }
    return workloads
  }
}
