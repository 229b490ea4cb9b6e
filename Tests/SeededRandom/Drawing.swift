// Drawing from ranges by the simulation's own rule, for the standard library's may change with a release and every
// golden hash with it.

extension SplitMix64 {
  /// A number of a range; the bias of small ranges is of no account here.
  package mutating func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// True in `percent` of a hundred cases.
  package mutating func chance(_ percent: Int) -> Bool {
    draw(1...100) <= percent
  }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    pick(elements[...])
  }

  package mutating func pick<Element>(_ elements: ArraySlice<Element>) -> Element {
    elements[elements.startIndex + draw(0...elements.count - 1)]
  }
}
