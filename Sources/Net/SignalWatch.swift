// Signals of the operating system, as calls on a queue.
//
// Immutable; kept as long as the signals are to be caught. The default action is switched off first, so that only the
// handler answers.
import Dispatch
import Glibc

package final class SignalWatch: Sendable {
  // Set once and then only cancelled, which any thread may do; Dispatch's types do not say so.
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  /// Calls `handler` on `queue` with the number of each of `signals` that comes from now on. Returns when Dispatch
  /// listens: a signal before that would be lost.
  package init(_ signals: [Int32], queue: DispatchQueue, handler: @escaping @Sendable (Int32) -> Void) {
    let listens = DispatchSemaphore(value: 0)
    sources = signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { handler(number) }
      source.setRegistrationHandler { listens.signal() }
      source.activate()
      return source
    }
    for _ in signals { listens.wait() }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
