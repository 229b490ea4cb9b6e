// A store's answer, waited for, as benchmarks ask.
import Dispatch
import Store
import Synchronization

extension SQLiteStore {
  /// The answer of a call.
  func answer<Value: Sendable>(
    _ call: (SQLiteStore, @escaping Completion<Value>) -> Void
  ) throws -> Value {
    let answered = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, StoreFailure>?>(nil)
    call(self) { answer in
      result.withLock { $0 = answer }
      answered.signal()
    }
    answered.wait()
    guard let result = result.withLock({ $0 }) else { throw BenchFailure(description: "no answer") }
    return try result.get()
  }
}
