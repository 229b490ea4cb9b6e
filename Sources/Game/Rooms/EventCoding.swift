// Events, phases and boards, in a journal. An event's number follows from its position.

/// The kind of an event, by its first byte.
private enum EventKind {
  static let joined: UInt8 = 0
  static let left: UInt8 = 1
  static let held: UInt8 = 2
  static let back: UInt8 = 3
  static let host: UInt8 = 4
  static let lobby: UInt8 = 5
  static let playing: UInt8 = 6
  static let ended: UInt8 = 7
  static let chat: UInt8 = 8
  static let capturedArea: UInt8 = 9
  static let capturedLand: UInt8 = 10
  static let timeUp: UInt8 = 11
  static let noHost: UInt8 = 12
  static let kicked: UInt8 = 14
  static let locked: UInt8 = 15
}

extension Event {
  /// Writes everything but the number.
  func write(to state: inout RecordWriter) {
    state.bytes.number(atMs)
    switch body {
    case .joined(let member):
      state.bytes.byte(EventKind.joined)
      state.id(member.id)
      state.place(member.place)
      state.text(member.nickname, .shown, by: member.id)
      state.bytes.flag(member.isHeld)
      state.bytes.number(member.readUpTo)
      state.bytes.flag(member.isWatching)
    case .left(let place): state.write(EventKind.left, place)
    case .held(let place): state.write(EventKind.held, place)
    case .back(let place): state.write(EventKind.back, place)
    case .host(let seat?): state.write(EventKind.host, .seat(seat))
    case .host(nil): state.bytes.byte(EventKind.noHost)
    case .phase(.lobby): state.bytes.byte(EventKind.lobby)
    case .phase(.playing(let game, let endsAtGameMs)):
      state.bytes.byte(EventKind.playing)
      state.bytes.number(game)
      state.bytes.number(endsAtGameMs)
    case .phase(.ended(let board)):
      state.bytes.byte(EventKind.ended)
      board.write(to: &state)
    case .timeUp(let boardAtGameMs):
      state.bytes.byte(EventKind.timeUp)
      state.bytes.number(boardAtGameMs)
    case .chat(let place, let author, let text):
      state.write(EventKind.chat, place)
      ChatEventCoding.write(text, by: author, to: &state)
    case .captured(let seat, .area(let m2)):
      state.write(EventKind.capturedArea, .seat(seat))
      state.bytes.number(m2)
    case .captured(let seat, .land(let land, let time)):
      state.write(EventKind.capturedLand, .seat(seat))
      state.bytes.fixed(land.value)
      state.bytes.number(time.wholeMilliseconds)
    case .kicked(let place): state.write(EventKind.kicked, place)
    case .locked(let isLocked):
      state.bytes.byte(EventKind.locked)
      state.bytes.flag(isLocked)
    }
  }

  init(number: UInt32, in configuration: RoomConfiguration, from state: inout RecordReader) throws(JournalFault) {
    self.number = number
    atMs = try state.bytes.number(in: 0...UInt32.max, "time of an event")
    switch try state.bytes.byte() {
    case EventKind.joined: body = .joined(try Member(in: configuration, from: &state))
    case EventKind.left: body = .left(try state.place(in: configuration))
    case EventKind.held: body = .held(try state.place(in: configuration))
    case EventKind.back: body = .back(try state.place(in: configuration))
    case EventKind.host:
      guard case .seat(let seat) = try state.place(in: configuration) else { throw state.fault(.impossible("host")) }
      body = .host(seat: seat)
    case EventKind.noHost: body = .host(seat: nil)
    case EventKind.lobby: body = .phase(.lobby)
    case EventKind.playing:
      let game: UInt32 = try state.bytes.number(in: 1...UInt32.max, "number of a game")
      let endsAtGameMs: UInt32 = try state.bytes.number(in: 0...UInt32.max, "end of a game")
      body = .phase(.playing(game: game, endsAtGameMs: endsAtGameMs))
    case EventKind.ended: body = .phase(.ended(board: try [BoardRow](in: configuration, from: &state)))
    case EventKind.timeUp:
      body = .timeUp(boardAtGameMs: try state.bytes.number(in: 0...UInt32.max, "time of a board"))
    case EventKind.chat:
      body = try ChatEventCoding.read(at: try state.place(in: configuration), from: &state)
    case EventKind.capturedArea:
      guard case .seat(let seat) = try state.place(in: configuration) else { throw state.fault(.impossible("seat")) }
      body = .captured(seat: seat, .area(m2: try state.bytes.number(in: 1...UInt32.max, "area")))
    case EventKind.capturedLand:
      guard case .seat(let seat) = try state.place(in: configuration) else { throw state.fault(.impossible("seat")) }
      let land = LandID(try state.bytes.fixed128())
      body = .captured(seat: seat, .land(land, time: .milliseconds(try state.tally("time of a run"))))
    case EventKind.kicked: body = .kicked(try state.place(in: configuration))
    case EventKind.locked: body = .locked(try state.bytes.flag())
    default: throw state.fault(.impossible("event"))
    }
  }
}

extension Phase {
  func write(to state: inout RecordWriter) {
    switch self {
    case .lobby: state.bytes.byte(0)
    case .playing: state.bytes.byte(1)
    case .ended: state.bytes.byte(2)
    }
  }

  init(from state: inout RecordReader) throws(JournalFault) {
    switch try state.bytes.byte() {
    case 0: self = .lobby
    case 1: self = .playing
    case 2: self = .ended
    default: throw state.fault(.impossible("phase"))
    }
  }
}

extension Member {
  fileprivate init(in configuration: RoomConfiguration, from state: inout RecordReader) throws(JournalFault) {
    id = try state.id()
    place = try state.place(in: configuration)
    nickname = try state.text(of: id)
    isHeld = try state.bytes.flag()
    readUpTo = try state.eventNumber()
    isWatching = state.rulesVersion >= 7 ? try state.bytes.flag() : false
  }
}

extension RecordWriter {
  fileprivate mutating func write(_ kind: UInt8, _ place: Place) {
    bytes.byte(kind)
    self.place(place)
  }
}

extension RecordReader {
  /// A place of this room.
  fileprivate mutating func place(in configuration: RoomConfiguration) throws(JournalFault) -> Place {
    let place = try place()
    switch place {
    case .seat(let seat): try require(seat < configuration.capacity, "seat")
    case .spectator(let number): try require(number < configuration.spectatorsMax, "spectator")
    }
    return place
  }
}

extension [BoardRow] {
  /// Writes the rows best first; ranks follow from their order.
  func write(to state: inout RecordWriter) {
    state.bytes.number(count)
    for row in self {
      state.bytes.number(row.seat)
      state.id(row.id)
      state.text(row.nickname, .shown, by: row.id)
      state.bytes.number(row.points)
      state.bytes.number(row.distanceMm)
      state.bytes.number(row.time.wholeMilliseconds)
      state.bytes.flag(row.won)
      state.bytes.flag(row.completed)
      state.bytes.number(row.calories)
      state.bytes.byte(row.latePercent)
      state.bytes.byte(row.withheldPercent)
    }
  }

  init(in configuration: RoomConfiguration, from state: inout RecordReader) throws(JournalFault) {
    self = []
    var rank = 0
    for _ in 0..<(try state.bytes.count(max: configuration.capacity, "number of results")) {
      let seat = try state.bytes.number(in: 0...configuration.capacity - 1, "seat")
      let id = try state.id()
      if !id.isWalker { rank += 1 }
      append(
        BoardRow(
          seat: seat,
          id: id,
          nickname: try state.text(of: id),
          rank: id.isWalker ? 0 : rank,
          points: try state.bytes.number(in: 0...UInt32.max, "points"),
          distanceMm: try state.tally("distance"),
          time: .milliseconds(try state.tally("time in a game")),
          won: try state.bytes.flag(),
          completed: try state.bytes.flag(),
          calories: try state.tally("calories"),
          latePercent: try state.bytes.number(in: 0...100, "share of late fixes"),
          withheldPercent: try state.bytes.number(in: 0...100, "share of withheld fixes")
        )
      )
    }
  }
}
