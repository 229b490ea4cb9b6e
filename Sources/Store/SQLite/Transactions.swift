// One transaction of the writer's connection. On the writer's queue.
import GRDB

extension Database {
  /// Runs `body` as one transaction, all or nothing. It takes the write lock at its begin.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    var value: Value?
    try inTransaction(.immediate) {
      value = try body()
      return .commit
    }
    guard let value else { preconditionFailure("a committed transaction has a value") }
    return value
  }
}
