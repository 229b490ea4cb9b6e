// A value on its way from a shard's queue to a waiting test.
import Dispatch
import Synchronization

final class Box<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let arrived = DispatchSemaphore(value: 0)

  func put(_ value: Value) {
    self.value.withLock { $0 = value }
    arrived.signal()
  }

  var isFull: Bool { value.withLock { $0 != nil } }

  func take() -> Value {
    arrived.wait()
    guard let value = value.withLock({ $0 }) else { preconditionFailure("the value is set before the signal") }
    return value
  }
}
