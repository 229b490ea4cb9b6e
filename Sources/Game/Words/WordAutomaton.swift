// A search for many words at once (Aho and Corasick): one step for each character of a text, however many words there
// are. An immutable value.
// Decisions: 125 (docs/decisions).

struct WordAutomaton: Sendable {
  private struct Step: Hashable {
    let node: Int32
    let scalar: UInt32
  }

  /// Leads from a node, a beginning of words, to the one that is longer by a character.
  private var steps: [Step: Int32] = [:]
  /// Of each node the one of its longest end that begins a word too.
  private var fallbacks: [Int32] = [0]
  /// Whether a word ends at the node.
  private var isEnd: [Bool] = [false]

  init(_ words: some Sequence<[Unicode.Scalar]>) {
    var children: [[(UInt32, Int32)]] = [[]]
    for word in words where !word.isEmpty {
      var node: Int32 = 0
      for scalar in word {
        let step = Step(node: node, scalar: scalar.value)
        if let next = steps[step] {
          node = next
          continue
        }
        let next = Int32(isEnd.count)
        steps[step] = next
        children[Int(node)].append((scalar.value, next))
        children.append([])
        fallbacks.append(0)
        isEnd.append(false)
        node = next
      }
      isEnd[Int(node)] = true
    }
    linkFallbacks(children)
  }

  /// Finds the fallbacks of nodes, shorter ones first.
  private mutating func linkFallbacks(_ children: [[(UInt32, Int32)]]) {
    var row = children[0].map(\.1)
    while !row.isEmpty {
      var next: [Int32] = []
      for node in row {
        for (scalar, child) in children[Int(node)] {
          let fallback = self.next(fallbacks[Int(node)], scalar)
          fallbacks[Int(child)] = fallback
          // A shorter word that ends here is found too.
          if isEnd[Int(fallback)] { isEnd[Int(child)] = true }
          next.append(child)
        }
      }
      row = next
    }
  }

  private func next(_ node: Int32, _ scalar: UInt32) -> Int32 {
    var node = node
    while true {
      if let next = steps[Step(node: node, scalar: scalar)] { return next }
      if node == 0 { return 0 }
      node = fallbacks[Int(node)]
    }
  }

  /// Whether a word lies anywhere in the text.
  func finds(in text: [Unicode.Scalar]) -> Bool {
    var node: Int32 = 0
    for scalar in text {
      node = next(node, scalar.value)
      if isEnd[Int(node)] { return true }
    }
    return false
  }
}
