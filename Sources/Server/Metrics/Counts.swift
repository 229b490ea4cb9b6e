// How often each of several things has happened: a number for each, in one row.
//
// A value of one shard; others get copies. Counting is one addition, so it may stand on the hot path.

import MadangProtocol

struct Counts<Kind: CaseIterable & RawRepresentable & Sendable>: Sendable where Kind.RawValue == Int {
  private var numbers = ContiguousArray(repeating: 0, count: Kind.allCases.count)

  subscript(kind: Kind) -> Int {
    get { numbers[kind.rawValue] }
    set { numbers[kind.rawValue] = newValue }
  }

  var total: Int { numbers.reduce(0, +) }

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    for (index, number) in right.numbers.enumerated() { sum.numbers[index] += number }
    return sum
  }
}

extension [UInt16: Int] {
  static func + (left: Self, right: Self) -> Self { left.merging(right) { $0 + $1 } }
}

extension [WireErrorCode: Int] {
  static func + (left: Self, right: Self) -> Self { left.merging(right) { $0 + $1 } }
}
