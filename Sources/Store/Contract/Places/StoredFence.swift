// The stored rows of operators' fences. Plain values, the same for every back end. The bytes are those of the rules in
// `Game`; the store does not look into them.
import Game

/// A fence of the operators.
package struct StoredFence: Hashable, Sendable {
  package let id: FenceID
  package let bytes: [UInt8]
  /// The moment of the import that brought these bytes.
  package let importedAt: Instant

  package init(id: FenceID, bytes: [UInt8], importedAt: Instant) {
    precondition((1...FenceRules.bytesMax).contains(bytes.count), "a fence has 1 byte to 64 KiB")
    self.id = id
    self.bytes = bytes
    self.importedAt = importedAt
  }

  /// The most fences of all operators.
  package static let countMax = 10_000
}

/// The difference that an import of fences has made.
package struct FenceCounts: Hashable, Sendable {
  package var added = 0
  package var replaced = 0
  package var unchanged = 0

  package init(added: Int = 0, replaced: Int = 0, unchanged: Int = 0) {
    self.added = added
    self.replaced = replaced
    self.unchanged = unchanged
  }
}
