// The hand-written tick, compared with swift-protobuf's bytes.
import SeededRandom
import MadangProtocol
import Testing

@Suite("Ticks")
struct TickWriterTests {
  @Test(
    "Every golden tick is written with its bytes",
    arguments: Vector.all.filter { $0.side == .server && $0.body == "tick" }
  )
  func vectors(_ vector: Vector) throws {
    for encoding in Subprotocol.allCases {
      let bytes = try vector.bytes(encoding)
      #expect(encoding.written(try encoding.decodeServer(bytes).tick) == bytes)
    }
  }

  @Test("Random ticks are written as swift-protobuf writes them", arguments: Subprotocol.allCases)
  func randomTicks(_ encoding: Subprotocol) {
    let seed: UInt64 = 0x7469_636B
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      var message = WireServerMessage()
      message.tick = random.tick()
      #expect(encoding.written(message.tick) == encoding.encode(message), "seed \(seed)")
    }
  }

  @Test("A tick is appended to a buffer's bytes, whatever they end with", arguments: Subprotocol.allCases)
  func appending(_ encoding: Subprotocol) {
    var tick = WireTick()
    tick.tick = 5
    let alone = encoding.written(tick)
    for prefix in ["", "{", "x", "[{"] {
      var bytes = [UInt8](prefix.utf8)
      encoding.append(tick, to: &bytes)
      #expect(bytes == [UInt8](prefix.utf8) + alone)
    }
  }

  @Test(
    "A warm buffer is written without a reallocation",
    arguments: Subprotocol.allCases,
    ["tick-fullRoom", "tick-halfArena"]
  )
  func warmBuffer(_ encoding: Subprotocol, _ name: String) throws {
    let tick = try encoding.decodeServer(Vector(side: .server, name: name).bytes(encoding)).tick
    var bytes: [UInt8] = []
    encoding.append(tick, to: &bytes)
    let address = bytes.withUnsafeBytes(\.baseAddress)
    for _ in 0..<10 {
      bytes.removeAll(keepingCapacity: true)
      encoding.append(tick, to: &bytes)
      #expect(bytes.withUnsafeBytes(\.baseAddress) == address)
    }
  }
}

extension Subprotocol {
  fileprivate func append(_ tick: WireTick, to bytes: inout [UInt8]) {
    appendTick(
      number: tick.tick,
      gameMs: tick.gameMs,
      seats: tick.seats,
      latE7: tick.latE7,
      lngE7: tick.lngE7,
      points: tick.points,
      events: tick.events,
      cursors: tick.cursors,
      skipped: tick.skipped,
      cellStarts: tick.cellStarts,
      cellCounts: tick.cellCounts,
      cellSeats: tick.cellSeats,
      arena: tick.hasArena ? tick.arena : nil,
      order: tick.order,
      to: &bytes
    )
  }

  fileprivate func written(_ tick: WireTick) -> [UInt8] {
    var bytes: [UInt8] = []
    append(tick, to: &bytes)
    return bytes
  }
}

extension SplitMix64 {
  fileprivate mutating func tick() -> WireTick {
    var tick = WireTick()
    tick.tick = number()
    tick.gameMs = number()
    for _ in 0..<(once(in: 4) ? 0 : Int.random(in: 0..<60, using: &self)) {
      tick.seats.append(number())
      tick.latE7.append(number())
      tick.lngE7.append(number())
      tick.points.append(number())
    }
    for _ in 0..<(once(in: 2) ? 0 : Int.random(in: 0..<4, using: &self)) { tick.events.append(event()) }
    for _ in 0..<(once(in: 2) ? 0 : Int.random(in: 0..<4, using: &self)) {
      var cursor = WireCursor()
      if once(in: 2) { cursor.seat = number() } else { cursor.spectator = number() }
      cursor.upTo = number()
      tick.cursors.append(cursor)
    }
    if once(in: 3) { tick.skipped = number() }
    for _ in 0..<(once(in: 2) ? 0 : Int.random(in: 0..<60, using: &self)) {
      tick.cellStarts.append(number())
      tick.cellCounts.append(number())
      tick.cellSeats.append(number())
    }
    if once(in: 3) { tick.arena = arena() }
    if once(in: 3) { tick.order = (0..<Int.random(in: 1...10, using: &self)).map { _ in number() } }
    return tick
  }

  private mutating func arena() -> WireArena {
    var arena = WireArena()
    if once(in: 2) { arena.latE7 = number() }
    if once(in: 2) { arena.lngE7 = number() }
    if once(in: 2) { arena.cellM = number() }
    if once(in: 2) { arena.cells = number() }
    return arena
  }

  private mutating func event() -> WireEvent {
    var event = WireEvent()
    event.number = number()
    if !once(in: 8) { event.atMs = number() }
    switch Int.random(in: 0..<7, using: &self) {
    case 0: event.chat.text = ["", "안녕", "\"\\\n\u{7F}\u{1F}🏃", "e\u{301}"].randomElement(using: &self) ?? ""
    case 3:
      event.chat.spectator = number()
      event.chat.withheld = true
    case 1: event.joined.nickname = "지민"
    case 2:
      event.phase.phase = .ended
      event.phase.board = [WireBoardRow(), .with { $0.points = number() }]
    case 4:
      event.captured.seat = number()
      event.captured.areaM2 = number()
    case 5: event.captured.land.landID = "가온누리"
    default: event.left.seat = number()
    }
    return event
  }
}
