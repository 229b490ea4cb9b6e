// The ranking of schools, kept in order at each change. A value, owned by the ranking's publisher. It knows schools by
// small numbers only and never reads the tally. It allocates only for a school with a greater number than before.

/// Schools by count descending; equal counts by the earlier time of reaching it.
///
/// A weight-balanced tree whose nodes lie in an array by the schools' numbers. Its sizes serve both for balance and for
/// ranks, so that every call takes O(log n) steps, whatever counts players cause.
package struct SchoolRanking: Sendable {
  /// Node 0 is no school: its size is 0 and its branches are itself.
  private struct Node {
    var left: UInt32 = 0
    var right: UInt32 = 0
    /// The size of its subtree, itself included; 0 while it is not in the tree.
    var size: UInt32 = 0
    var count: Int64 = 0
    var reached: UInt64 = 0
  }

  // A node is balanced if neither side weighs more than `balance` times the other; a weight is a size and one. With 3
  // and 2 both insertions and removals keep it so (Hirai and Yamamoto, Journal of Functional Programming, 2011).
  private static let balance: UInt32 = 3
  private static let singleTurn: UInt32 = 2

  private var nodes: ContiguousArray<Node> = [Node()]
  private var root: UInt32 = 0

  /// An empty ranking.
  package init() {}

  /// The number of schools with a rank.
  package var count: Int { size(root) }

  /// Sets a school's count; with 0 it has no rank. Equal counts rank by `reached`, and then by the school's number.
  package mutating func set(_ school: Int, count: Int64, reached: UInt64) {
    let node = UInt32(school + 1)
    if node >= nodes.count {
      nodes.append(contentsOf: repeatElement(Node(), count: school + 2 - nodes.count))
    }
    if nodes[school + 1].size > 0 { root = remove(node, from: root) }
    nodes[school + 1] = Node()
    guard count > 0 else { return }
    nodes[school + 1] = Node(size: 1, count: count, reached: reached)
    root = insert(node, into: root)
  }

  /// A school's count; 0 for one without a rank.
  package func count(of school: Int) -> Int64 {
    isRanked(school) ? nodes[school + 1].count : 0
  }

  /// A school's rank, from 1; nil for one without a count.
  package func rank(of school: Int) -> Int? {
    guard isRanked(school) else { return nil }
    let wanted = UInt32(school + 1)
    var node = root
    var before = 0
    while node != wanted {
      if precedes(wanted, node) {
        node = self[node].left
      } else {
        before += size(self[node].left) + 1
        node = self[node].right
      }
    }
    return before + size(self[node].left) + 1
  }

  /// The school with a rank; nil for a rank that none has.
  package func school(atRank rank: Int) -> Int? {
    guard 1...max(count, 1) ~= rank else { return nil }
    var node = root
    var before = rank - 1
    while node != 0 {
      let left = size(self[node].left)
      if before == left { return Int(node) - 1 }
      node = before < left ? self[node].left : self[node].right
      if before > left { before -= left + 1 }
    }
    return nil
  }

  /// The first schools, in order; fewer if there are fewer.
  package func top(_ most: Int) -> [Int] { schools(behindRank: 0, limit: most) }

  /// The schools behind a rank, up to `limit`, in order.
  package func schools(behindRank rank: Int, limit: Int) -> [Int] {
    let rest = max(0, count - max(rank, 0))
    return (0..<min(max(limit, 0), rest)).compactMap { school(atRank: max(rank, 0) + $0 + 1) }
  }

  /// The schools one rank above and below.
  package func neighbours(of school: Int) -> (above: Int?, below: Int?) {
    guard let rank = rank(of: school) else { return (nil, nil) }
    return (self.school(atRank: rank - 1), self.school(atRank: rank + 1))
  }

  private func isRanked(_ school: Int) -> Bool {
    school >= 0 && school + 1 < nodes.count && nodes[school + 1].size > 0
  }

  private subscript(node: UInt32) -> Node {
    get { nodes[Int(node)] }
    _modify { yield &nodes[Int(node)] }
  }

  private func size(_ node: UInt32) -> Int { Int(self[node].size) }

  private func weight(_ node: UInt32) -> UInt32 { self[node].size + 1 }

  private func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    let (one, other) = (self[left], self[right])
    return (other.count, one.reached, left) < (one.count, other.reached, right)
  }
}

// The tree: each function takes the root of a subtree, and returns the root that replaces it.
extension SchoolRanking {
  private mutating func insert(_ node: UInt32, into root: UInt32) -> UInt32 {
    guard root != 0 else { return node }
    if precedes(node, root) {
      self[root].left = insert(node, into: self[root].left)
    } else {
      self[root].right = insert(node, into: self[root].right)
    }
    return balanced(root)
  }

  private mutating func remove(_ node: UInt32, from root: UInt32) -> UInt32 {
    if node == root { return removeTop(root) }
    if precedes(node, root) {
      self[root].left = remove(node, from: self[root].left)
    } else {
      self[root].right = remove(node, from: self[root].right)
    }
    return balanced(root)
  }

  /// Removes the node itself; the nearest node of the heavier side replaces it.
  private mutating func removeTop(_ root: UInt32) -> UInt32 {
    let (left, right) = (self[root].left, self[root].right)
    if left == 0 { return right }
    if right == 0 { return left }
    let top: UInt32
    if weight(left) > weight(right) {
      top = last(of: left)
      let rest = remove(top, from: left)
      (self[top].left, self[top].right) = (rest, right)
    } else {
      top = first(of: right)
      let rest = remove(top, from: right)
      (self[top].left, self[top].right) = (left, rest)
    }
    return balanced(top)
  }

  private func first(of root: UInt32) -> UInt32 {
    var node = root
    while self[node].left != 0 { node = self[node].left }
    return node
  }

  private func last(of root: UInt32) -> UInt32 {
    var node = root
    while self[node].right != 0 { node = self[node].right }
    return node
  }

  /// Updates the size, and rotates if one side has become too heavy.
  private mutating func balanced(_ root: UInt32) -> UInt32 {
    let (left, right) = (self[root].left, self[root].right)
    self[root].size = self[left].size + self[right].size + 1
    if weight(right) > Self.balance * weight(left) {
      if weight(self[right].left) >= Self.singleTurn * weight(self[right].right) {
        self[root].right = turnedRight(right)
      }
      return turnedLeft(root)
    }
    if weight(left) > Self.balance * weight(right) {
      if weight(self[left].right) >= Self.singleTurn * weight(self[left].left) {
        self[root].left = turnedLeft(left)
      }
      return turnedRight(root)
    }
    return root
  }

  private mutating func turnedLeft(_ root: UInt32) -> UInt32 {
    let top = self[root].right
    self[root].right = self[top].left
    self[top].left = root
    count(root)
    count(top)
    return top
  }

  private mutating func turnedRight(_ root: UInt32) -> UInt32 {
    let top = self[root].left
    self[root].left = self[top].right
    self[top].right = root
    count(root)
    count(top)
    return top
  }

  private mutating func count(_ root: UInt32) {
    self[root].size = self[self[root].left].size + self[self[root].right].size + 1
  }
}
