// The referee of webhooks: what the store has written, against what the backend has received. A value of one run.
import Game
import MadangProtocol
import Server
import Store

struct WebhookReferee {
  /// An event that the store has written.
  private struct Written {
    let bytes: [UInt8]
    let players: [PlayerID]
  }

  static let target = WebhookTarget(
    id: WebhookID(1),
    url: "https://example.org/",
    secret: "whsec_",
    types: Set(WebhookEventType.offered),
    createdAt: Instant(milliseconds: 0)
  )

  private static let begin = Array(#"{"events":["#.utf8)
  private static let end = Array("]}".utf8)
  /// `{"id":"` before the identifier, and its 32 digits.
  private static let idRange = 7..<39

  private var events: [Written] = []
  private var numbers: [String: Int] = [:]
  /// The texts of written events at fences, by what players are told.
  private var fences: Set<String> = []
  private var deleted: Set<PlayerID> = []
  private var received: Set<Int> = []
  private var newestReceived = -1
  private(set) var deliveries = 0

  var writtenCount: Int { events.count }

  // What is written.

  mutating func take(_ batch: Batch) {
    for change in batch.changes {
      switch change {
      case .webhook(.event(let event)):
        numbers[String(decoding: event.bytes[Self.idRange], as: UTF8.self)] = events.count
        events.append(Written(bytes: event.bytes, players: event.players))
        if event.type == .fence { noteFence(event.bytes) }
      case .deletion(.begin(let player, _)), .deletion(.finish(let player, _)): deleted.insert(player)
      default: break
      }
    }
  }

  private mutating func noteFence(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let values = ["playerId", "fenceId", "change", "atMs"].map { name in
      text.firstRange(of: "\"\(name)\":\"").map { text[$0.upperBound...].prefix { $0 != "\"" } } ?? ""
    }
    fences.insert(values.joined(separator: " "))
  }

  /// Checks that an event at a fence is written when a player is told of it.
  func check(_ change: WireFenceChange, to player: String) throws(BrokenRule) {
    let kind: String =
      switch change.change {
      case .entered: "ENTERED"
      case .left: "LEFT"
      case .dwelled: "DWELLED"
      case .fenceChangeUnspecified, .UNRECOGNIZED: ""
      }
    let isWritten = fences.contains("\(player) \(change.fence.fenceID) \(kind) \(change.atMs)")
    try BrokenRule.unless(isWritten, .toldWhenWritten, "\(player) was told \(change)")
  }

  // What is received.

  /// Takes a request: its events are written ones, whole, and new ones come in the order of writing.
  mutating func take(_ request: WebhookRequest) throws(BrokenRule) {
    deliveries += 1
    var rest = request.body[...]
    try BrokenRule.unless(rest.starts(with: Self.begin), .webhooksTrue, "no batch: \(Self.text(rest))")
    rest = rest.dropFirst(Self.begin.count)
    while !rest.starts(with: Self.end) {
      if rest.first == UInt8(ascii: ",") { rest = rest.dropFirst() }
      let id = String(decoding: rest.prefix(Self.idRange.upperBound).dropFirst(Self.idRange.lowerBound), as: UTF8.self)
      guard let number = numbers[id], rest.starts(with: events[number].bytes) else {
        throw BrokenRule(rule: .webhooksTrue, detail: "nobody has written \(Self.text(rest))")
      }
      rest = rest.dropFirst(events[number].bytes.count)
      guard received.insert(number).inserted else { continue }
      try BrokenRule.unless(number > newestReceived, .webhooksInOrder, "\(number) after \(newestReceived)")
      newestReceived = number
    }
    try BrokenRule.unless(rest.count == Self.end.count, .webhooksTrue, "more behind a batch: \(Self.text(rest))")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix(300), as: UTF8.self) }

  /// Checks that every written event was received, but for those of deleted players.
  func checkComplete() throws(BrokenRule) {
    for (number, event) in events.enumerated() where !received.contains(number) {
      let mayBeErased = event.players.contains(where: deleted.contains)
      try BrokenRule.unless(mayBeErased, .webhooksKept, "lost \(Self.text(event.bytes[...]))")
    }
  }
}
