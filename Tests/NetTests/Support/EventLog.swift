// The events that services report from any shard's queue, for tests that wait for them.
//
// Guarded by a lock. Waits are bounded only so that a failing test ends; no test measures time.
import Dispatch
import Synchronization
import TestSupport

final class EventLog: Sendable {
  private struct Waiter {
    let fits: @Sendable ([String]) -> Bool
    let arrived: DispatchSemaphore
  }

  private struct State {
    var events: [String] = []
    var waiters: [Waiter] = []
  }

  static let patienceSeconds = 30
  private let state = Mutex(State())

  var events: [String] { state.withLock { $0.events } }

  func note(_ event: String) {
    state.withLock { state in
      state.events.append(event)
      state.waiters.removeAll { waiter in
        guard waiter.fits(state.events) else { return false }
        waiter.arrived.signal()
        return true
      }
    }
  }

  /// Waits until the events so far fit, and returns them.
  @discardableResult
  func wait(until fits: @escaping @Sendable ([String]) -> Bool) throws -> [String] {
    let arrived = DispatchSemaphore(value: 0)
    let known = state.withLock { state -> Bool in
      if fits(state.events) { return true }
      state.waiters.append(Waiter(fits: fits, arrived: arrived))
      return false
    }
    guard known || arrived.wait(timeout: .now() + .seconds(Self.patienceSeconds)) == .success else {
      throw TestFailure("waited in vain; so far: \(events)")
    }
    return events
  }

  @discardableResult
  func wait(for event: String) throws -> [String] {
    try wait { $0.contains(event) }
  }
}

/// A value on its way from a shard's queue to a test that waits for it.
final class Delivery<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let arrived = DispatchSemaphore(value: 0)

  func put(_ value: Value) {
    self.value.withLock { $0 = value }
    arrived.signal()
  }

  func take() throws -> Value {
    guard arrived.wait(timeout: .now() + .seconds(EventLog.patienceSeconds)) == .success,
      let value = value.withLock({ $0 })
    else { throw TestFailure("no value came") }
    return value
  }
}
