// A lock with a place in the order of locks. In tests a thread that takes locks in another order traps at once, not
// only in a run where two threads wait for each other.
//
// Any thread. The variable MADANG_CHECK_LOCKS turns the check on, in any build. scripts/swift-test sets it, and
// scripts/test for the crash and taps tests of the real program. Without it a lock is a `Mutex` and a test of one flag.
//
// This module is public, unlike the others: the compiler specializes no generic function of another module that is
// only `package`, with `@inlinable` or without.
// Decisions: 114 (docs/decisions).
import Glibc
import Synchronization

/// The order of locks: a thread that holds one takes only later ones. ARCHITECTURE.md says what each lock is for.
public enum LockRank: Int, Sendable {
  case commits = 1
  case tally
  case directory
  /// Every other lock: a thread that holds one takes no lock at all.
  case leaf
}

/// A value behind a lock with a place in the order.
public struct OrderedMutex<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let rank: LockRank

  /// A lock of this rank around a value.
  public init(_ rank: LockRank, _ value: consuming sending Value) {
    self.rank = rank
    mutex = Mutex(value)
  }

  /// Calls `body` with the value while the lock is held. Traps under the check where a thread holds a lock of this rank
  /// or a later one.
  @inlinable public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let outer: Int? = HeldLock.isChecked ? HeldLock.take(rank) : nil
    defer { if let outer { HeldLock.restore(outer) } }
    return try mutex.withLock(body)
  }
}

/// The rank of the last lock that a thread has taken and not given back; 0 for none.
public enum HeldLock {
  /// Whether the order of locks is checked in this process.
  public static let isChecked = getenv("MADANG_CHECK_LOCKS") != nil

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "a key for thread-local data can be created")
    return key
  }()

  /// Checks that a lock may be taken now, and notes it. Returns the rank before.
  @usableFromInline static func take(_ rank: LockRank) -> Int {
    let held = Int(bitPattern: pthread_getspecific(key))
    precondition(held < rank.rawValue, "a thread takes lock \(rank) while it holds one of rank \(held)")
    restore(rank.rawValue)
    return held
  }

  @usableFromInline static func restore(_ rank: Int) {
    _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: rank))
  }
}
