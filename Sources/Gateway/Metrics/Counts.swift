// Counts of several kinds of events: a number for each kind, in one row.
//
// A value of one shard; others get copies. Counting is one addition, so the hot path may count.

import MadangProtocol

package struct Counts<Kind: CaseIterable & RawRepresentable & Sendable>: Sendable where Kind.RawValue == Int {
  private var numbers = ContiguousArray(repeating: 0, count: Kind.allCases.count)

  package init() {}

  package subscript(kind: Kind) -> Int {
    get { numbers[kind.rawValue] }
    set { numbers[kind.rawValue] = newValue }
  }

  package var total: Int { numbers.reduce(0, +) }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    for (index, number) in right.numbers.enumerated() { sum.numbers[index] += number }
    return sum
  }
}

extension [UInt16: Int] {
  package static func + (left: Self, right: Self) -> Self { left.merging(right) { $0 + $1 } }
}

extension [WireErrorCode: Int] {
  package static func + (left: Self, right: Self) -> Self { left.merging(right) { $0 + $1 } }
}
