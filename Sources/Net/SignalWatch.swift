// Signals of the operating system, as calls on a queue.
//
// Immutable; kept for as long as the signals are to be heard. The default action is switched off first, so that nothing
// but the handler answers.
import Dispatch
import Glibc

package final class SignalWatch: Sendable {
  // Set once and only ever cancelled, which any thread may do; Dispatch does not say so in its types.
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  /// Calls `handler` with the signal's number on `queue`, each time one of `signals` comes from now on: waits until Dispatch
  /// listens, for what comes before would be lost.
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
