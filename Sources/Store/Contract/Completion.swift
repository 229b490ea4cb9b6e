// How a store answers what it does not answer at once. A closure, called on a thread of the store's own.

/// What a store answers with: exactly once, on a thread of its own. It may ask the store for more and must not wait for
/// it.
package typealias Completion<Value> = @Sendable (Result<Value, StoreFailure>) -> Void
