// One playing connection: its player, its rate, and features' parts.
//
// Owned by one shard. `state` travels when the connection changes shards, and so do the cargos of features' parts.
import MadangProtocol
import Net
import Synchronization
import WebSocket

package final class Session {
  // First what each message and each tick looks at, so that it shares lines of the processor's cache.
  /// The gateway ends this circle of references when the connection goes or moves.
  package let connection: Connection
  /// The shard's counts of messages.
  package let traffic: MessageTraffic
  package let subprotocol: Subprotocol
  package let messageKind: MessageKind
  /// The connection is gone; its waiting answers are dropped.
  package private(set) var hasEnded = false
  /// It travels beside the state, so that no other module sees it. Copied out and back, since a change in place would
  /// be a checked access for each message.
  var rate: MessageRate
  /// The features' parts, by their slots: objects alone, half as long as with the knowledge that they are parts.
  private var parts = InlineArray<8, AnyObject?>(repeating: nil)
  package var state: SessionState
  private static let partsMax = 8
  private static let slotsTaken = Atomic<Int>(0)

  /// A slot for a new kind of part.
  package static func takeSlot() -> Int {
    let slot = slotsTaken.add(1, ordering: .relaxed).oldValue
    precondition(slot < partsMax, "a session has a slot for each kind of part")
    return slot
  }

  /// The number of answers that wait for a commit.
  var heldAnswers = 0

  init(_ connection: Connection, _ traffic: MessageTraffic, _ state: SessionState, rate: MessageRate = MessageRate()) {
    self.connection = connection
    self.traffic = traffic
    self.state = state
    self.rate = rate
    subprotocol = state.subprotocol
    messageKind = subprotocol.isText ? .text : .binary
  }

  /// The session of a connection without a count of its references: the connection holds it until it closes or is
  /// handed off. Nil where it has none.
  package static func held(by connection: Connection) -> Unmanaged<Session>? {
    guard let context = connection.heldContext, context._withUnsafeGuaranteedRef({ type(of: $0) == Session.self })
    else { return nil }
    return .fromOpaque(context.toOpaque())
  }

  /// Begins the session of a player, whose messages may be long from now on.
  package func recognize(_ identity: Identity) {
    state.identity = identity
    connection.allow(messageBytes: Limits.longMessageBytesMax)
  }

  /// Marks that the connection is gone.
  func end() {
    hasEnded = true
  }

  /// Whether an answer or a notification waits for a commit.
  package var awaitsCommit: Bool { heldAnswers > 0 }

  /// Holds back further messages until `resumed` is called: the one way of a session to wait for something.
  ///
  /// - Returns: false where it waits for something else, or its connection is not open.
  @discardableResult
  package func suspend() -> Bool {
    connection.suspend()
  }

  /// Lets messages come again.
  ///
  /// - Returns: the session; nil where its connection has gone or is closing.
  package func resumed() -> Session? {
    guard !hasEnded, connection.isOpen else { return nil }
    connection.resumeMessages()
    return self
  }

  /// A feature's part; nil before the feature has needed one.
  @inlinable package func part<Part: SessionPart>(_ type: Part.Type) -> Part? {
    guard let part = part(at: Part.slot) else { return nil }
    return unsafeDowncast(part, to: Part.self)
  }

  /// The same without a count of its references: the session holds it until it closes or is handed off.
  @inlinable package func heldPart<Part: SessionPart>(_ type: Part.Type) -> Unmanaged<Part>? {
    guard let part = heldPart(at: Part.slot) else { return nil }
    return .fromOpaque(part.toOpaque())
  }

  @usableFromInline func heldPart(at slot: Int) -> Unmanaged<AnyObject>? {
    parts[slot].map(Unmanaged.passUnretained)
  }

  /// The part in a slot.
  @usableFromInline func part(at slot: Int) -> AnyObject? { parts[slot] }

  /// A feature's part, made when there is none yet.
  package func part<Part: SessionPart>(orAdd make: @autoclosure () -> Part) -> Part {
    if let known = part(Part.self) { return known }
    let part = make()
    parts[Part.slot] = part
    return part
  }

  func add(_ part: some SessionPart) {
    parts[type(of: part).slot] = part
  }

  /// Drops the parts, which may hold the session, at its end on this shard.
  func dropParts() {
    for slot in parts.indices { parts[slot] = nil }
  }

  /// The cargos of the features' parts that travel.
  var cargos: [any SessionCargo] {
    parts.indices.compactMap { (parts[$0] as? any SessionPart)?.cargo }
  }
}
