// Counts of several kinds of events: a number for each kind, in one row.
//
// A value of one shard; others get copies. Counting is one addition, so the hot path may count.

import MadangProtocol

package struct Counts<Kind: CaseIterable & RawRepresentable & Sendable>: Sendable where Kind.RawValue == Int {
  /// In place, so that counting is an addition and nothing else.
  private var numbers = InlineArray<128, Int>(repeating: 0)

  package init() {
    precondition(Kind.allCases.count <= numbers.count, "there is a number for each kind")
  }

  package subscript(kind: Kind) -> Int {
    get { numbers[kind.rawValue] }
    set { numbers[kind.rawValue] = newValue }
  }

  package var total: Int { numbers.indices.reduce(0) { $0 + numbers[$1] } }

  package static func + (left: Self, right: Self) -> Self {
    var sum = left
    for index in sum.numbers.indices { sum.numbers[index] += right.numbers[index] }
    return sum
  }
}

extension [UInt16: Int] {
  package static func + (left: Self, right: Self) -> Self { left.merging(right) { $0 + $1 } }
}

extension [WireErrorCode: Int] {
  package static func + (left: Self, right: Self) -> Self { left.merging(right) { $0 + $1 } }
}
