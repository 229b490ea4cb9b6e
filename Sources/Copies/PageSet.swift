// Pages of a database by their numbers, each in its newest form. A value.

package struct PageSet: Sendable {
  package let pageBytes: Int
  private var slots: [UInt32: Int] = [:]
  /// The pages, in the order of their first coming.
  private var bytes: [UInt8] = []

  package init(pageBytes: Int) {
    self.pageBytes = pageBytes
  }

  package var byteCount: Int { bytes.count }

  /// The pages' numbers, ascending.
  package var numbers: [UInt32] { slots.keys.sorted() }

  /// Puts a page of `pageBytes` bytes in the place of an older one.
  package mutating func put(_ number: UInt32, _ page: UnsafeRawBufferPointer) {
    precondition(page.count == pageBytes, "all pages of a database have one size")
    if let slot = slots[number] {
      bytes.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[slot..<(slot + pageBytes)]).copyMemory(from: page)
      }
    } else {
      slots[number] = bytes.count
      bytes += page
    }
  }

  /// The bytes of a page that is there.
  package func withPage<Value>(_ number: UInt32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    guard let slot = slots[number] else { preconditionFailure("the page is there") }
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[slot..<(slot + pageBytes)])) }
  }
}
