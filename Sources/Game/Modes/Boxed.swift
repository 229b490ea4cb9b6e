// A large value behind a pointer, for an enum that must be cheap to move. A value itself: copies share the storage
// until one of them changes.

/// A value in storage of its own.
struct Boxed<Value: Sendable>: Sendable {
  /// Holds exactly one element.
  private var storage: ContiguousArray<Value>

  init(_ value: Value) {
    storage = [value]
  }

  var value: Value { storage[0] }

  /// Reads the value in place.
  @inline(__always)
  func ask<Answer>(_ body: (borrowing Value) -> Answer) -> Answer {
    body(storage[0])
  }

  /// Changes the value in place.
  @inline(__always)
  mutating func change<Answer, Fault>(_ body: (inout Value) throws(Fault) -> Answer) throws(Fault) -> Answer {
    try body(&storage[0])
  }
}
