// A report on its way from a shard's thread to a test that waits for it.
import Dispatch
import Server
import Synchronization

final class ReportBox: Sendable {
  private let report = Mutex<ServerReport?>(nil)
  private let arrived = DispatchSemaphore(value: 0)

  func put(_ report: ServerReport) {
    self.report.withLock { $0 = report }
    arrived.signal()
  }

  var hasReport: Bool { report.withLock { $0 != nil } }

  func take() -> ServerReport {
    arrived.wait()
    guard let report = report.withLock({ $0 }) else { preconditionFailure("a report was put before the signal") }
    return report
  }
}
