// The running seed, reported when a broken invariant of the server ends the process: a trap throws nothing.
//
// One for the process, which runs one seed at a time. The handler does only what is allowed in a signal handler.
import Glibc
import Synchronization

enum RunningSeed {
  private static let seed = Atomic<UInt64>(0)

  static func set(_ next: UInt64) { seed.store(next, ordering: .relaxed) }

  /// Makes the process write the seed to standard error when it traps or aborts.
  static func reportOnTrap() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV] {
      signal(number) { number in
        RunningSeed.report()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  private static func report() {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
      var start = digits.count - 1
      digits[start] = UInt8(ascii: "\n")
      var rest = seed.load(ordering: .relaxed)
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      let words: StaticString = "FAILED by a trap: seed "
      _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
      _ = write(2, UnsafeRawPointer(digits.baseAddress?.advanced(by: start)), digits.count - start)
    }
  }
}
