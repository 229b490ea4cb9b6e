// The server's messages to a player: frames, then messages, then notifications. Answers are in PlayerAnswers.swift.
import ClientModel
import MadangProtocol
import Net
import WebSocket

extension Player {
  func receiveMessages(_ bytes: [UInt8], at now: Timestamp) throws(BrokenRule) {
    var bytes = bytes
    var failure: BrokenRule?
    bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      do throws(BrokenRule) {
        while state != .offline, offset < buffer.count {
          guard let item = try nextItem(in: buffer, &offset) else { break }
          try take(item, at: now)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func nextItem(
    in buffer: UnsafeMutableRawBufferPointer,
    _ offset: inout Int
  ) throws(BrokenRule) -> MessageDecoder.Item? {
    do throws(WebSocketError) {
      return try connection?.nextItem(in: buffer, &offset, world.inflater)
    } catch {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(number) was sent invalid WebSocket bytes: \(error)")
    }
  }

  private func take(_ item: MessageDecoder.Item, at now: Timestamp) throws(BrokenRule) {
    switch item {
    case .ping(let payload):
      let bytes = Array(payload)
      send { frame, mask in bytes.withUnsafeBytes { FrameEncoder.appendPong($0, mask: mask, to: &frame) } }
    case .pong:
      break
    case .close(let frame):
      try receiveClose(frame.code, at: now)
    case .message(let kind, let payload):
      let isExpected = kind == (subprotocol.isText ? .text : .binary)
      try BrokenRule.unless(isExpected, .onlyOwn, "player \(number) was sent \(kind)")
      try take(try decoded(payload), at: now)
    }
  }

  private func decoded(_ payload: UnsafeRawBufferPointer) throws(BrokenRule) -> WireServerMessage {
    do throws(DecodingFailure) {
      return try subprotocol.decodeServerMessage(payload)
    } catch {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(number) was sent an invalid message: \(error)")
    }
  }

  private func take(_ message: WireServerMessage, at now: Timestamp) throws(BrokenRule) {
    world.trace("to player \(number): \(Self.text { Subprotocol.json.append(message, to: &$0) })")
    guard let body = message.body else {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(number) was sent a message without a body")
    }
    if message.hasReplyTo {
      guard let (request, askedAt) = requests.take(message.replyTo) else {
        throw BrokenRule(rule: .oneAnswer, detail: "player \(number) has not asked \(message.replyTo): \(body)")
      }
      answeredAskedAt = askedAt
      world.report.answers += 1
      return try answered(request, body, at: now)
    }
    switch body {
    case .tick(let tick): try take(tick)
    case .path(let path):
      try BrokenRule.unless(copy != nil, .onlyOwn, "player \(number), in no room, has a path")
      copy?.take(path)
    case .verdict(let verdict):
      try BrokenRule.unless(hasSentMoves, .onlyOwn, "player \(number) has sent no fix to judge")
      placeClient.take(verdict)
    case .badge(let badge): try account.take(badge, of: number)
    case .error(let error):
      let mayBe =
        hasSentMoves
        && (error.code == .seatNeeded || error.code == .rateLimited
          || error.code == .notInRoom && (world.operators.hasClosedRooms || world.plan.hostsAct))
      try BrokenRule.unless(mayBe, .onlyOwn, "player \(number) got the error \(error.message) without a request")
    case _ where world.brokenOnPurpose == .opensFromAfar && body.isOfPlaces: break
    case .fence(let change):
      if world.plan.tellsWebhooks {
        try world.backend.check(change, to: playerID ?? "", storeHasFailed: world.hasStoreFailed)
      }
      try placeClient.take(change)
      if world.brokenOnPurpose == .tellsFencesTwice { try placeClient.take(change) }
    case .openable(let openables): try placeClient.take(openables)
    case .closed(let closed): try placeClient.take(closed)
    case .postNews(let news): try storyClient.take(news)
    // Earned by what the player writes, or by others' likes of it.
    case .collectible where world.plan.writes, .grade where world.plan.writes: break
    case .feedNews(let news): try storyClient.take(news)
    case .ranking(let ranking): try tapClient.take(ranking)
    case .announcement(let announcement): try take(announcement)
    case .roomClosed: try takeRoomClosed()
    case .kicked(let kicked): try HostReferee(world).take(kicked, by: self)
    case .closing where world.report.drains > 0: break
    default:
      throw BrokenRule(rule: .onlyOwn, detail: "player \(number) got without a request: \(body)")
    }
  }

  /// Checks that an event is the room's own, without the text of a chat if its author is blocked.
  func check(_ event: WireEvent, of code: String) throws(BrokenRule) {
    try world.ledger.check(event, of: code)
    guard case .chat(let chat) = event.body else { return }
    let text = world.ledger.text(of: event.number, in: code) ?? ""
    try account.check(text, isWithheld: chat.withheld, to: number)
    if chat.withheld { world.report.withheld += 1 }
  }

  private func take(_ tick: WireTick) throws(BrokenRule) {
    guard var copy, let playerID, state == .ready else {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(number), in no room, was sent a tick")
    }
    // Taken out, so that it is changed in place.
    self.copy = nil
    for event in tick.events { try check(event, of: copy.code) }
    try BrokenRule.keeping { () throws(RoomCopy.Fault) in try copy.take(tick, as: playerID) }
    self.copy = copy
    isUnchecked = true
    world.report.ticks += 1
    if tick.skipped > 0 { world.report.mergedTicks += 1 }
  }
}

extension WireServerMessage.OneOf_Body {
  /// Whether it notifies of a fence or of capsules nearby.
  fileprivate var isOfPlaces: Bool {
    switch self {
    case .fence, .openable, .closed: true
    default: false
    }
  }
}
