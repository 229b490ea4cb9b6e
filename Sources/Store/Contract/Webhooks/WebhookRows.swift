// The targets of webhooks and the events that wait for them. Plain values, the same for every back end.
import Game

/// The permanent identifier of a target of webhooks.
package struct WebhookID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}

/// The type of an event that an operator's backend is told of. The number is the bit in the store.
package enum WebhookEventType: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// A player has entered or left a fence, or has stayed there.
  case fence
  case gameEnded
  case playerDeleted
  /// A player's suspicion has begun or ended.
  case suspect
  /// An operator's try of one target. No target asks for it.
  case test

  /// The types that a target may ask for.
  package static let offered = allCases.filter { $0 != .test }
  /// Their names, for operators.
  package static let offeredNames = offered.map(\.name).joined(separator: ", ")

  /// The name in events, on the command line and in all output.
  package var name: String {
    switch self {
    case .fence: "fence"
    case .gameEnded: "gameEnded"
    case .playerDeleted: "playerDeleted"
    case .suspect: "suspect"
    case .test: "test"
    }
  }

  /// Reads the name of a type that a target may ask for; nil for any other text.
  package init?(name: some StringProtocol) {
    guard let type = Self.offered.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Set<WebhookEventType> {
  /// The types as the bits of a number.
  package var bits: Int64 { reduce(0) { $0 | 1 << Int64($1.rawValue) } }

  package init(bits: Int64) {
    self = Set(WebhookEventType.allCases.filter { bits & 1 << Int64($0.rawValue) != 0 })
  }
}

/// An address that is told of events.
package struct WebhookTarget: Hashable, Sendable {
  package static let countMax = 8
  private static let nameBytesMax = 200
  /// The bytes of pending events that a target may have, unless a store is told otherwise.
  package static let pendingBytesMax = 1 << 30

  package let id: WebhookID
  /// The operator's word for it; may be empty.
  package let name: String
  package let url: String
  /// The key by which requests to it are signed.
  package let secret: String
  /// The types of events that it has asked for.
  package let types: Set<WebhookEventType>
  package let createdAt: Instant

  package init(
    id: WebhookID,
    name: String = "",
    url: String,
    secret: String,
    types: Set<WebhookEventType>,
    createdAt: Instant
  ) {
    self.id = id
    self.name = name
    self.url = url
    self.secret = secret
    self.types = types
    self.createdAt = createdAt
  }

  /// The fault of an operator's word for a target, for the operator; nil for a sound one. It may be empty.
  package static func fault(ofName name: String) -> String? {
    let isSteering = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard name.utf8.count <= nameBytesMax, !isSteering else {
      return "a webhook's name has at most \(nameBytesMax) bytes, none of them a control character"
    }
    return nil
  }

  /// The address without the parts that may be secret.
  package var origin: String {
    let authority = url.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    return String(authority.prefix { $0 != "?" })
  }

  /// The target for the audit log.
  package var auditText: String { "\(id) at \(origin)" }

  /// The identifier and the secret, for the operator who has added it.
  package var secretText: String { "webhook \(id)\nsecret  \(secret)" }
}

/// A failed try to deliver events, or a target's switching off.
package struct WebhookFailure: Hashable, Sendable {
  package var at: Instant
  /// The reason, in English, for the operator.
  package var text: String

  package init(at: Instant, text: String) {
    self.at = at
    self.text = text
  }
}

/// A target, and the state of its deliveries.
package struct WebhookRow: Hashable, Sendable {
  package var target: WebhookTarget
  package var pendingCount: Int64 = 0
  /// The bytes of pending events.
  package var pendingBytes: Int64 = 0
  /// The time of the oldest pending event; nil where none waits.
  package var oldestAt: Instant?
  package var deliveredCount: Int64 = 0
  /// The events that went because there was no room for newer ones.
  package var droppedCount: Int64 = 0
  /// The time of the first failure since the last success; nil without one.
  package var failingSince: Instant?
  /// The newest failure; a success leaves it.
  package var lastFailure: WebhookFailure?
  /// The time and reason why nothing is sent to it; nil for an enabled target.
  package var switchedOff: WebhookFailure?

  package init(target: WebhookTarget) {
    self.target = target
  }
}

/// An event that targets are to be told of.
package struct WebhookEvent: Hashable, Sendable {
  package let type: WebhookEventType
  /// The players whom it names; none if nobody's erasure shall touch it. It goes with the erasure of one of them,
  /// unless only a part of it names them.
  package let players: [PlayerID]
  package let at: Instant
  /// The event's JSON.
  package private(set) var bytes: [UInt8]
  /// The bytes that name each of some players: members of a JSON object, without the commas around them. An erasure
  /// overwrites them, and leaves the event to the others.
  package let parts: [PlayerID: Range<Int>]

  package init(
    type: WebhookEventType,
    players: [PlayerID],
    at: Instant,
    bytes: [UInt8],
    parts: [PlayerID: Range<Int>] = [:]
  ) {
    self.type = type
    self.players = players
    self.at = at
    self.bytes = bytes
    self.parts = parts
  }

  /// The event without these players, as far as parts of it name them.
  package func erasing(_ players: some Sequence<PlayerID>) -> WebhookEvent {
    var event = self
    for player in players {
      if let part = parts[player] { Self.erase(part, in: &event.bytes) }
    }
    return event
  }

  /// Overwrites a part that names a player by the nickname of a deleted one. The length stays, so the other parts
  /// do too.
  ///
  /// - Returns: false where the part is not within the bytes, or too short.
  @discardableResult
  package static func erase(_ part: Range<Int>, in bytes: inout [UInt8]) -> Bool {
    guard part.lowerBound >= 0, part.upperBound <= bytes.count, part.count >= erasedMembers.count else { return false }
    let blanks = repeatElement(UInt8(ascii: " "), count: part.count - erasedMembers.count)
    bytes.replaceSubrange(part, with: erasedMembers + blanks)
    return true
  }

  private static let erasedMembers = Array("\"nickname\":\"\(ErasedText.text)\"".utf8)
}

/// An event in a target's outbox.
package struct PendingWebhookEvent: Hashable, Sendable {
  /// The event's number among all that the store has ever had: the order of their commits.
  package let number: Int64
  package let bytes: [UInt8]

  package init(number: Int64, bytes: [UInt8]) {
    self.number = number
    self.bytes = bytes
  }
}
