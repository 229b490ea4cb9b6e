// The rounds at a knee and beyond: in each, the knee's games, then 1.5 and 2 times as many.
//
// A value. A machine is not as fast in every minute. So the knee's games are measured in turn with those beyond, and
// the medians are compared.

package struct RampRounds: Sendable {
  /// The multiples of the knee's games; the first is the knee.
  package static let factors = [1, 1.5, 2]

  /// The steps of each multiple.
  private var steps: [[RampStep]] = factors.map { _ in [] }

  package init() {}

  /// Adds the step of a round; `index` is that of its multiple in `factors`.
  package mutating func append(_ step: RampStep, at index: Int) { steps[index].append(step) }

  /// The step with the median of the delivered frames; nil for none.
  package func median(at index: Int) -> RampStep? {
    let sorted = steps[index].sorted { $0.deliveredPerSecond < $1.deliveredPerSecond }
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  /// The median of the delivered frames beside the knee's; nil for none.
  package func share(at index: Int) -> Double? {
    guard let knee = median(at: 0), let step = median(at: index) else { return nil }
    return step.deliveredPerSecond / knee.deliveredPerSecond
  }

  /// The longest of the rounds' 99th percentiles of the time to an answer; milliseconds, nil where a round has none.
  package func answersP99Ms(at index: Int) -> Double? {
    let times = steps[index].map(\.answerP99Ms)
    return times.contains(nil) ? nil : times.compactMap(\.self).max()
  }
}
