// Inputs as records of a journal. A fix is the most frequent record, so its first byte says which fields it has. Other
// records are one byte for the case, the time, and the case's values.

/// The kind of a record, by its first byte; from `move` on, the lowest bits are the fields of the fix.
enum RecordKind {
  static let created: UInt8 = 0
  static let snapshot: UInt8 = 1
  static let join: UInt8 = 2
  static let leave: UInt8 = 3
  static let lose: UInt8 = 4
  static let comeBack: UInt8 = 5
  static let startGame: UInt8 = 6
  static let playAgain: UInt8 = 7
  static let chat: UInt8 = 8
  static let readChat: UInt8 = 9
  static let tick: UInt8 = 10
  static let restart: UInt8 = 11
  static let erase: UInt8 = 12
  static let giveUpRun: UInt8 = 13
  static let close: UInt8 = 14
  static let beginning: UInt8 = 15
  static let move: UInt8 = 16
  static let moveKinds: ClosedRange<UInt8> = 16...23
  static let moves: UInt8 = 24
  static let bar: UInt8 = 25
  static let watch: UInt8 = 32
  static let kick: UInt8 = 27
  static let lock: UInt8 = 28

  static let accuracyBit: UInt8 = 1
  static let timeBit: UInt8 = 2
  static let mockedBit: UInt8 = 4
}

extension Input {
  /// The first byte of this input's record.
  var recordKind: UInt8 {
    switch self {
    case .join: RecordKind.join
    case .watch: RecordKind.watch
    case .leave: RecordKind.leave
    case .lose: RecordKind.lose
    case .comeBack: RecordKind.comeBack
    case .startGame: RecordKind.startGame
    case .playAgain: RecordKind.playAgain
    case .chat: RecordKind.chat
    case .readChat: RecordKind.readChat
    case .tick: RecordKind.tick
    case .restart: RecordKind.restart
    case .erase: RecordKind.erase
    case .giveUpRun: RecordKind.giveUpRun
    case .close: RecordKind.close
    case .moves: RecordKind.moves
    case .bar: RecordKind.bar
    case .kick: RecordKind.kick
    case .lock: RecordKind.lock
    case .move(_, let fix):
      RecordKind.move | (fix.accuracyM == nil ? 0 : RecordKind.accuracyBit)
        | (fix.time == nil ? 0 : RecordKind.timeBit) | (fix.mocked ? RecordKind.mockedBit : 0)
    }
  }

  /// Writes the part of the record after kind and time.
  func write(to record: inout RecordWriter, from author: PlayerID?, at time: Instant) {
    switch self {
    case .move(let place, let fix):
      record.place(place)
      record.coordinate(fix.coordinate)
      if let accuracyM = fix.accuracyM { record.bytes.number(accuracyM) }
      // A phone can name any time, so the difference may wrap around.
      if let fixTime = fix.time { record.bytes.signed(fixTime.milliseconds &- time.milliseconds) }
    case .moves(let place, let batch):
      record.place(place)
      batch.write(to: &record, at: time)
    case .join(let id, let nickname), .watch(let id, let nickname):
      record.id(id)
      record.text(nickname, .nickname, by: id)
    case .leave(let place), .lose(let place), .comeBack(let place), .startGame(let place), .playAgain(let place),
      .giveUpRun(let place):
      record.place(place)
    case .chat(let place, let text):
      ChatInputCoding.write(text, from: place, by: author, to: &record)
    case .readChat(let place, let number):
      ChatInputCoding.write(readUpTo: number, from: place, to: &record)
    case .tick(let last):
      record.bytes.number(last)
    case .restart(let downtime):
      record.bytes.number(max(0, downtime.wholeMilliseconds))
    case .erase(let id), .bar(let id):
      record.id(id)
    case .kick(let place, let id):
      record.place(place)
      record.id(id)
    case .lock(let place, let isLocked):
      record.place(place)
      record.bytes.flag(isLocked)
    case .close: break
    }
  }

  /// Reads the part that `write` has written after kind and time.
  init(_ kind: UInt8, from record: inout RecordReader, at time: Instant) throws(JournalFault) {
    switch kind {
    case RecordKind.moveKinds: self = .move(try record.place(), try Fix(kind, from: &record, at: time))
    case RecordKind.moves: self = .moves(try record.place(), try FixBatch(from: &record, at: time))
    case RecordKind.join, RecordKind.watch:
      let id = try record.id()
      let nickname = try record.textIfAny()
      try record.require(nickname.map { $0.author == id } ?? true, "author of a text")
      let shown = nickname?.text ?? ""
      self = kind == RecordKind.watch ? .watch(id, nickname: shown) : .join(id, nickname: shown)
    case RecordKind.leave: self = .leave(try record.place())
    case RecordKind.lose: self = .lose(try record.place())
    case RecordKind.comeBack: self = .comeBack(try record.place())
    case RecordKind.startGame: self = .startGame(try record.place())
    case RecordKind.playAgain: self = .playAgain(try record.place())
    case RecordKind.giveUpRun: self = .giveUpRun(try record.place())
    case RecordKind.chat: self = try ChatInputCoding.read(from: &record)
    case RecordKind.readChat: self = try ChatInputCoding.readCursor(from: &record)
    case RecordKind.tick: self = .tick(through: try record.bytes.number(in: 0...UInt32.max, "tick"))
    case RecordKind.restart: self = .restart(downtime: .milliseconds(try record.tally("downtime")))
    case RecordKind.erase: self = .erase(try record.id())
    case RecordKind.bar: self = .bar(try record.id())
    case RecordKind.kick: self = .kick(try record.place(), try record.id())
    case RecordKind.lock: self = .lock(try record.place(), try record.bytes.flag())
    case RecordKind.close: self = .close
    default: throw record.fault(.impossible("record"))
    }
  }
}

extension Fix {
  fileprivate init(_ kind: UInt8, from record: inout RecordReader, at time: Instant) throws(JournalFault) {
    let coordinate = try record.coordinate()
    self.init(latE7: coordinate.latE7, lngE7: coordinate.lngE7, mocked: kind & RecordKind.mockedBit != 0)
    if kind & RecordKind.accuracyBit != 0 {
      accuracyM = try record.bytes.number(in: 0...UInt32.max, "accuracy")
    }
    if kind & RecordKind.timeBit != 0 {
      self.time = Instant(milliseconds: time.milliseconds &+ (try record.bytes.signed()))
    }
  }
}
