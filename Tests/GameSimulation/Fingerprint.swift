// A fingerprint of all effects of a room: FNV-1a (64 bits) over a description in bytes that is written here field by
// field, so that it depends only on the values: no reflection, no hash seeds, no text formats.
import Game

/// An FNV-1a hash of effects.
package struct Fingerprint: Hashable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ effects: Effects) {
    switch effects.answer {
    case .none: add(0)
    case .ok: add(1)
    case .joined(let place): add(2, place)
    case .judged(let verdict): add(4, verdict.rawValue)
    case .refused(let refusal):
      add(3)
      add(refusal)
    }
    add(effects.outputs.count)
    for output in effects.outputs {
      add(output)
    }
    for verdict in effects.verdicts { add(verdict.rawValue) }
    add(effects.tick)
  }

  mutating func add(_ tick: Tick) {
    add(Int(tick.number), Int(tick.gameMs), Int(tick.skipped), tick.seats.count)
    for row in tick.seats.indices {
      add(Int(tick.seats[row]), Int(tick.latE7[row]), Int(tick.lngE7[row]), Int(tick.points[row]))
    }
    add(tick.arena)
    for seat in tick.order { add(Int(seat)) }
    for run in tick.cellStarts.indices {
      add(Int(tick.cellStarts[run]), Int(tick.cellCounts[run]), Int(tick.cellSeats[run]))
    }
    add(tick.events.count)
    for event in tick.events {
      add(Int(event.number), Int(event.atMs))
      add(event.body)
    }
    add(tick.cursors.count)
    for cursor in tick.cursors {
      add(Int(cursor.upTo), cursor.place)
    }
  }

  private mutating func add(_ refusal: Refusal) {
    switch refusal {
    case .roomFull: add(0)
    case .gameOn: add(1)
    case .hostOnly: add(2)
    case .tooFewPlayers: add(3)
    case .wrongPhase: add(4)
    case .seatNeeded: add(5)
    case .badText(let why): add(6, why)
    case .chatTooOften(let retryAfter): add(7, Int(retryAfter.wholeMilliseconds))
    case .upToOutOfRange: add(8)
    case .notInRoom: add(9)
    case .alreadyInRoom: add(10)
    case .barred: add(13)
    case .locked: add(14)
    case .noSuchMember: add(15)
    case .oneself: add(16)
    case .closed: add(11)
    case .noRun: add(12)
    case .noSpectators: add(14)
    }
  }

  private mutating func add(_ effect: Effect) {
    switch effect {
    case .verdict(let place, let refusal, let suspect):
      add(0, place)
      add(refusal.flatMap(FixVerdict.allCases.firstIndex) ?? -1, suspect ? 1 : 0)
    case .placed(let id, let place): add(1, place, id)
    case .removed(let id, let place): add(2, place, id)
    case .closed: add(3)
    case .gameEnded(let result):
      add(4, Int(result.number), Int(result.startedAt.milliseconds), Int(result.endedAt.milliseconds))
      add(Int(truncatingIfNeeded: result.fingerprint))
      add(.phase(.ended(board: result.board)))
    case .run(let place, let progress):
      add(8, place)
      add(progress.land ?? -1, progress.visited, Int(progress.time.wholeMilliseconds))
      switch progress.state {
      case .tooFar: add(0)
      case .running: add(1)
      case .warned: add(2)
      case .captured: add(3)
      case .givenUp: add(4)
      }
    case .landRun(let result, let capturedAt):
      add(9, .seat(0), result.player)
      add(Int(truncatingIfNeeded: capturedAt.milliseconds))
      add(Int(truncatingIfNeeded: result.land.value), Int(result.time.wholeMilliseconds))
    case .path(let place, .opened): add(5, place)
    case .path(let place, .closed(let areaM2, let isEmpty)): add(6 + Int(areaM2) + (isEmpty ? 1 : 0), place)
    case .path(let place, .tooSmallLoop(let areaM2)):
      add(13, place)
      add(Int(areaM2))
    case .path(let place, .neverAwayLoop(let areaM2)):
      add(14, place)
      add(Int(areaM2))
    case .path(let place, .dropped(let end)):
      add(7, place)
      switch end {
      case .outsideArena: add(0)
      case .tooLong: add(1)
      case .cut: add(2)
      case .disbelieved: add(3)
      case .tooSmall: add(4)
      }
    }
  }

  private mutating func add(_ arena: ArenaPlan?) {
    guard let arena else { return }
    add(Int(arena.center?.latE7 ?? 0), Int(arena.center?.lngE7 ?? 0), arena.cellM, arena.cells)
  }

  private mutating func add(_ body: Event.Body) {
    switch body {
    case .joined(let member):
      add(0, member.place, member.id)
      add(member.isHeld ? 1 : 0, member.nickname)
      add(Int(member.readUpTo))
      if member.isWatching { add(1) }
    case .left(let place): add(1, place)
    case .held(let place): add(2, place)
    case .back(let place): add(3, place)
    case .host(let seat): add(4, seat ?? -1)
    case .phase(.lobby): add(5)
    case .timeUp(let boardAtGameMs): add(12, Int(boardAtGameMs))
    case .kicked(let place): add(13, place)
    case .locked(let isLocked): add(14, isLocked ? 1 : 0)
    case .phase(.playing(let game, let endsAtGameMs)): add(6, Int(game), Int(endsAtGameMs))
    case .phase(.ended(let board)):
      add(7, board.count)
      for row in board {
        add(row.rank, .seat(row.seat), row.id)
        add(Int(row.points), row.nickname)
        add(Int(row.distanceMm), Int(row.calories), Int(row.time.wholeMilliseconds))
        add(row.won ? 1 : 0, row.completed ? 1 : 0, Int(row.latePercent), Int(row.withheldPercent))
      }
    case .chat(let place, let author, let text):
      add(8, place, author)
      add(9, text)
    case .captured(let seat, .area(let m2)): add(10, seat, Int(m2))
    case .captured(let seat, .land(let land, let time)):
      add(11, seat, Int(truncatingIfNeeded: land.value), Int(time.wholeMilliseconds))
    }
  }

  private mutating func add(_ number: Int, _ place: Place, _ id: PlayerID? = nil) {
    switch place {
    case .seat(let seat): add(number, 0, seat)
    case .spectator(let spectator): add(number, 1, spectator)
    }
    if let id {
      add(Int(truncatingIfNeeded: id.value >> 64), Int(truncatingIfNeeded: id.value))
    }
  }

  private mutating func add(_ number: Int, _ text: String) {
    add(number, text.utf8.count)
    for byte in text.utf8 {
      add(byte: byte)
    }
  }

  private mutating func add(_ numbers: Int...) {
    for number in numbers {
      var rest = UInt64(bitPattern: Int64(number))
      for _ in 0..<8 {
        add(byte: UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }
  }

  private mutating func add(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}
