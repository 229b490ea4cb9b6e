// The referee of webhooks: what the store has written, against what the backend has received. A value of one run.
import Game
import MadangProtocol
import Server
import Store

struct WebhookReferee {
  /// An event that the store has written.
  private struct Written {
    let event: WebhookEvent

    var bytes: [UInt8] { event.bytes }

    /// Whether bytes begin with the event, of which the parts of some players may be erased.
    func begins(_ bytes: ArraySlice<UInt8>, erasing erased: Set<PlayerID>) -> Bool {
      let found = Array(bytes.prefix(event.bytes.count))
      let gone = event.parts.filter { player, part in
        erased.contains(player) && part.upperBound <= found.count && found[part] != event.bytes[part]
      }
      return found == event.erasing(gone.keys).bytes
    }

    /// Whether nobody may be told of it any more, since these players are deleted.
    func mayBeErased(with deleted: Set<PlayerID>) -> Bool {
      guard !event.players.isEmpty else { return false }
      return event.players.allSatisfy(deleted.contains)
        || event.players.contains { deleted.contains($0) && event.parts[$0] == nil }
    }
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
  /// Those of which a player was told before they were written, since the server began.
  private var toldBefore: Set<String> = []
  private var deleted: Set<PlayerID> = []
  /// The time of the newest written event of each player.
  private var newestOf: [PlayerID: Instant] = [:]
  private var received: Set<Int> = []
  private var newestReceived = -1
  private(set) var deliveries = 0

  var writtenCount: Int { events.count }

  // What is written.

  mutating func take(_ batch: Batch) throws(BrokenRule) {
    for change in batch.changes {
      switch change {
      case .webhook(.event(let event)):
        numbers[String(decoding: event.bytes[Self.idRange], as: UTF8.self)] = events.count
        try noteOrder(event)
        events.append(Written(event: event))
        if event.type == .fence { noteFence(event.bytes) }
      case .deletion(.begin(let player, _)), .deletion(.finish(let player, _)): deleted.insert(player)
      default: break
      }
    }
  }

  /// Checks that the events of each player are written in the order in which they happened.
  private mutating func noteOrder(_ event: WebhookEvent) throws(BrokenRule) {
    for player in event.players {
      if let newest = newestOf[player] {
        let text = Self.text(event.bytes[...])
        try BrokenRule.unless(event.at >= newest, .webhooksInOrder, "written behind one of \(newest): \(text)")
      }
      newestOf[player] = event.at
    }
  }

  private mutating func noteFence(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let values = ["playerId", "fenceId", "change", "atMs"].map { name in
      text.firstRange(of: "\"\(name)\":\"").map { text[$0.upperBound...].prefix { $0 != "\"" } } ?? ""
    }
    fences.insert(values.joined(separator: " "))
  }

  /// Checks that an event at a fence is written when a player is told of it, or later where the store has failed.
  mutating func check(_ change: WireFenceChange, to player: String, storeHasFailed: Bool) throws(BrokenRule) {
    let kind: String =
      switch change.change {
      case .entered: "ENTERED"
      case .left: "LEFT"
      case .dwelled: "DWELLED"
      case .fenceChangeUnspecified, .UNRECOGNIZED: ""
      }
    let event = "\(player) \(change.fence.fenceID) \(kind) \(change.atMs)"
    guard !fences.contains(event) else { return }
    try BrokenRule.unless(storeHasFailed, .toldWhenWritten, "\(player) was told \(change)")
    toldBefore.insert(event)
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
      guard let number = numbers[id], events[number].begins(rest, erasing: deleted) else {
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

  /// Checks that every written event was received, but for those of deleted players; and that every event at a fence
  /// was written of which a player was told while the store failed.
  func checkComplete() throws(BrokenRule) {
    for (number, event) in events.enumerated() where !received.contains(number) {
      let mayBeErased = event.mayBeErased(with: deleted)
      try BrokenRule.unless(mayBeErased, .webhooksKept, "lost \(Self.text(event.bytes[...]))")
    }
    if let lost = toldBefore.subtracting(fences).first {
      throw BrokenRule(rule: .webhooksKept, detail: "told while the store failed, and never written: \(lost)")
    }
  }

  /// The server is lost, and with it the events that waited in its memory.
  mutating func crash() { toldBefore = [] }
}
