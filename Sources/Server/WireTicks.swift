// Ticks, chats, verdicts and refusals of the rules on the wire.
//
// Pure. A tick's columns go straight from the rules' arrays into the frame.
import Game
import MadangProtocol

extension Subprotocol {
  /// Appends a tick as a whole `ServerMessage`, the chats of who is blocked without their text.
  func append(_ tick: Tick, withholding blocked: Set<PlayerID> = [], to bytes: inout [UInt8]) {
    appendTick(
      number: tick.number,
      gameMs: tick.gameMs,
      seats: tick.seats,
      latE7: tick.latE7,
      lngE7: tick.lngE7,
      points: tick.points,
      events: tick.events.map { WireEvent($0, withholding: blocked) },
      cursors: tick.cursors.map(WireCursor.init),
      skipped: tick.skipped,
      to: &bytes
    )
  }
}

extension WireCursor {
  init(_ cursor: Cursor) {
    self.init()
    switch cursor.place {
    case .seat(let seat): self.seat = UInt32(seat)
    case .spectator(let number): spectator = UInt32(number)
    }
    upTo = cursor.upTo
  }
}

extension Tick {
  /// Somebody of these has chatted.
  func hasChats(of players: Set<PlayerID>) -> Bool {
    guard !players.isEmpty else { return false }
    return events.contains { event in
      if case .chat(_, let author, _) = event.body { players.contains(author) } else { false }
    }
  }
}

extension WireChat {
  init(_ place: Place, _ text: String) {
    self.init()
    switch place {
    case .seat(let seat): self.seat = UInt32(seat)
    case .spectator(let number): spectator = UInt32(number)
    }
    self.text = text
  }

  /// A chat of someone whom the receiver has blocked.
  init(withheldFrom place: Place) {
    self.init(place, "")
    withheld = true
  }
}

extension WireVerdict {
  init(_ refusal: FixRefusal, isSuspect: Bool) {
    self.init()
    suspect = isSuspect
    self.refusal =
      switch refusal {
      case .notAfterLast: .notAfterLast
      case .tooFarAhead: .tooFarAhead
      case .tooOld: .tooOld
      case .offTheMap: .offTheMap
      case .mocked: .mocked
      case .tooFast: .tooFast
      }
  }
}
