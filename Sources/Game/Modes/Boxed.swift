// A large value behind a pointer, for an enum that is to be moved cheaply. A value itself: copies share the storage
// until one of them changes.

/// A value in storage of its own.
struct Boxed<Value: Sendable>: Sendable {
  /// Exactly one.
  private var storage: ContiguousArray<Value>

  init(_ value: Value) {
    storage = [value]
  }

  var value: Value { storage[0] }

  /// Looks at the value where it lies.
  @inline(__always)
  func ask<Answer>(_ body: (borrowing Value) -> Answer) -> Answer {
    body(storage[0])
  }

  /// Changes the value where it lies.
  @inline(__always)
  mutating func change<Answer, Fault>(_ body: (inout Value) throws(Fault) -> Answer) throws(Fault) -> Answer {
    try body(&storage[0])
  }
}
