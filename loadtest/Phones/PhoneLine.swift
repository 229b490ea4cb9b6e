// The connection of a phone: open, broken, or stalled, so that nothing goes through it in either direction.
//
// Owned by one shard.
import MadangProtocol
import Net

final class PhoneLine {
  private unowned let context: PhoneContext
  private var connection: Connection?
  /// The messages sent into the stalled connection; nil when it isn't stalled.
  private var stalled: [(body: WireClientMessage.OneOf_Body, id: UInt32?)]?

  init(_ context: PhoneContext) {
    self.context = context
  }

  var isConnected: Bool { connection != nil }

  /// Connects, unless there is a connection.
  func dial(for phone: AnyObject) throws(NetError) {
    guard connection == nil else { return }
    connection = try context.plan.target.dial(on: context.core, context: phone)
  }

  func send(_ body: WireClientMessage.OneOf_Body, id: UInt32?) {
    guard let connection else { return }
    if stalled != nil {
      stalled?.append((body, id))
      return
    }
    context.results.messagesOut += 1
    context.plan.target.send(body, id: id, on: connection)
  }

  /// Nothing goes through the connection any more.
  func stall() {
    guard let connection, stalled == nil else { return }
    stalled = []
    connection.suspend()
  }

  /// Everything that has waited goes through at once.
  func goOn() {
    guard let messages = stalled else { return }
    stalled = nil
    connection?.resumeMessages()
    for message in messages { send(message.body, id: message.id) }
  }

  /// Breaks the connection. Messages that have waited are lost.
  func drop() {
    connection?.context = nil
    connection?.abandon()
    connection = nil
    stalled = nil
  }

  /// The connection has ended by itself. Returns whether it was this one.
  func closed(_ connection: Connection) -> Bool {
    guard self.connection === connection else { return false }
    self.connection = nil
    stalled = nil
    return true
  }

  func close() {
    connection?.close(1000, "")
  }
}
