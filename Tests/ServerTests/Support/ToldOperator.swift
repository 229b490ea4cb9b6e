// The notifications of a server's operator, kept for a test. Any thread.
import Server
import Synchronization

final class ToldOperator: Sendable {
  private let notifications = Mutex<[OperatorNotification]>([])

  var all: [OperatorNotification] { notifications.withLock { $0 } }

  func add(_ notification: OperatorNotification) { notifications.withLock { $0.append(notification) } }
}
