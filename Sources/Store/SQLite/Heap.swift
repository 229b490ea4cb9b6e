// A binary heap: the least element is at hand. A value of one search.

struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, elements[index] < elements[(index - 1) / 2] {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the least element; nil of an empty heap.
  mutating func popMin() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let least = elements.first else { return last }
    elements[0] = last
    var index = 0
    while true {
      var next = index
      for child in [2 * index + 1, 2 * index + 2] where child < elements.count && elements[child] < elements[next] {
        next = child
      }
      guard next != index else { return least }
      elements.swapAt(index, next)
      index = next
    }
  }
}
