// A value that one queue changes in place, with a check of exclusive access of its own.
//
// Used on one queue, never on two threads at once. Swift notes each access to a class's stored property in a list of
// the thread's accesses, unless it sees that the access is over at once: some 70 instructions each time. It can't see
// that where another module changes the value. Here a number beside the value counts the accesses: a change during
// another access traps, and so does a look during a change.
// Decisions: 114 (docs/decisions).

/// A value in memory of its own, for a class to keep as a constant.
public struct Exclusive<Value: ~Copyable>: ~Copyable {
  @usableFromInline struct Content: ~Copyable {
    /// The number of looks that are under way; -1 during a change.
    @usableFromInline var accesses = 0
    @usableFromInline var value: Value

    @usableFromInline init(_ value: consuming Value) {
      self.value = value
    }
  }

  @usableFromInline let content: UnsafeMutablePointer<Content>

  /// Moves the value into memory of its own.
  @inlinable public init(_ value: consuming Value) {
    content = .allocate(capacity: 1)
    content.initialize(to: Content(value))
  }

  deinit {
    content.deinitialize(count: 1)
    content.deallocate()
  }

  /// The value. An access that overlaps a change traps.
  @inlinable public var value: Value {
    _read {
      precondition(content.pointee.accesses >= 0, "a value is not looked at during its change")
      content.pointee.accesses += 1
      defer { content.pointee.accesses -= 1 }
      yield content.pointee.value
    }
    nonmutating _modify {
      precondition(content.pointee.accesses == 0, "a value is changed by one at a time")
      content.pointee.accesses = -1
      defer { content.pointee.accesses = 0 }
      yield &content.pointee.value
    }
  }

  /// The memory of the number of accesses and of the value's first bytes, for a hint to the processor.
  public func memory(bytes: Int) -> UnsafeRawBufferPointer {
    let valueBegins = MemoryLayout<Content>.size - MemoryLayout<Value>.size
    return UnsafeRawBufferPointer(start: content, count: min(MemoryLayout<Content>.size, valueBegins + bytes))
  }
}
