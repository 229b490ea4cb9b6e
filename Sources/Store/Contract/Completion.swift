// The callback of a store's asynchronous calls. A closure, called on a thread of the store's own.

/// Receives the answer of a store: exactly once, on the store's own thread. It may call the store again and must not
/// wait for it.
package typealias Completion<Value> = @Sendable (Result<Value, StoreFailure>) -> Void
