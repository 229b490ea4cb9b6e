// The request to end the run early: SIGINT or SIGTERM has come.
//
// Any thread.
import Dispatch
import Foundation
import Net
import Synchronization

final class StopSignal: Sendable {
  private let flag: Flag
  private let watch: SignalWatch

  private final class Flag: Sendable {
    let value = Mutex(false)
  }

  init() {
    let flag = Flag()
    self.flag = flag
    watch = SignalWatch([SIGINT, SIGTERM], queue: DispatchQueue(label: "madang-loadtest.signals")) { _ in
      flag.value.withLock { $0 = true }
    }
  }

  var hasCome: Bool { flag.value.withLock { $0 } }
}
