// Hints to the processor: memory that is about to be used.
//
// A shard with thousands of players comes to each of them after all others, when their objects have left the
// processor's caches. One object leads to the next, so their lines would be waited for one after the other. A hint asks
// for all of them at once, while the shard is still busy with another player.
// Decisions: 145 (docs/decisions).
import CLinux

/// The memory of one object: a value of one word. The object may be gone, for a hint reads nothing.
package struct MemoryHint {
  /// The address, below its eight highest bits the number of lines.
  private let bits: UInt64

  private static let lineBytes: UInt64 = 64
  private static let lineCountShift: UInt64 = 56
  private static let addressMask: UInt64 = (1 << lineCountShift) - 1

  /// A hint of nothing.
  package init() { bits = 0 }

  /// A hint of the object's first bytes, at most 16,320.
  package init(_ object: AnyObject, bytes: Int) {
    let start = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    self.init(UnsafeRawBufferPointer(start: start, count: bytes))
  }

  /// A hint of memory of at most 16,320 bytes.
  package init(_ memory: UnsafeRawBufferPointer) {
    let address = UInt64(UInt(bitPattern: memory.baseAddress))
    let first = address & ~(Self.lineBytes - 1)
    let lines = (address + UInt64(memory.count) - first + Self.lineBytes - 1) / Self.lineBytes
    precondition(lines < 256, "an object has fewer lines than a hint can count")
    bits = first & Self.addressMask | lines << Self.lineCountShift
  }

  /// The addresses of its lines.
  package var lines: Range<UInt> {
    let first = UInt(bits & Self.addressMask)
    return first..<first + UInt((bits >> Self.lineCountShift) * Self.lineBytes)
  }

  /// Asks for the memory.
  package func give() {
    var line = lines.lowerBound
    while line < lines.upperBound {
      prefetch_line(line)
      line += UInt(Self.lineBytes)
    }
  }
}

/// The hints of what the connections of one group share.
package struct GroupHints {
  private var first = MemoryHint()
  private var second = MemoryHint()
  private var third = MemoryHint()

  /// Hints of nothing.
  package init() {}

  /// Hints of three objects.
  package init(_ first: MemoryHint, _ second: MemoryHint, _ third: MemoryHint) {
    (self.first, self.second, self.third) = (first, second, third)
  }

  /// Asks for the memory of all.
  package func give() {
    first.give()
    second.give()
    third.give()
  }
}

/// The hints of one connection's objects.
package struct ConnectionHints {
  private var connection = MemoryHint()
  private var peer = MemoryHint()
  private var first = MemoryHint()
  private var second = MemoryHint()

  /// Hints of nothing.
  package init() {}

  /// Hints of the connection and of two objects of the service's own, for a message from the peer.
  package init(
    receiving connection: Connection,
    _ first: MemoryHint = MemoryHint(),
    _ second: MemoryHint = MemoryHint()
  ) {
    self.connection = MemoryHint(connection, bytes: 112)
    peer = MemoryHint(connection.peer, bytes: 144)
    (self.first, self.second) = (first, second)
  }

  /// The same for a message to the peer, which looks at less.
  package init(sendingOn connection: Connection, _ first: MemoryHint, _ second: MemoryHint) {
    self.connection = MemoryHint(connection, bytes: 48)
    peer = MemoryHint(connection.peer, bytes: 40)
    (self.first, self.second) = (first, second)
  }

  /// Asks for the memory of all.
  package func give() {
    connection.give()
    peer.give()
    first.give()
    second.give()
  }
}
