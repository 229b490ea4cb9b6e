// Messages of one shard by their types, both ways: how many, and how long they were as they are encoded, without frames and
// compression.
//
// Owned by one shard's service; its sessions count in it too. Two additions a message.
import MadangProtocol

/// What came from a client: the requests, by the names of the schema, and what is none.
enum ReceivedType: Int, CaseIterable, Sendable {
  case hello, resume, time, createRoom, joinRoom, leaveRoom, startGame, playAgain, move, chat, readChat, login, register
  case logout, setNickname, setPassword, block, unblock, deleteAccount, results, records, giveUpRun, findLands
  case landRanking, playerLands, roomGames, searchSchools, chooseSchool, tap, watchRanking, unwatchRanking
  /// A message without a body, or with one of a later schema.
  case unknown
  /// What is no message.
  case malformed
  /// Over the rate, and not looked at.
  case overRate
}

/// What the server sends, by the names of the schema.
enum SentType: Int, CaseIterable, Sendable {
  case welcome, time, room, ok, error, tick, verdict, closing, results, records, badge, path, run, lands, landRanking
  case playerLands, roomGames, schools, tapped, ranking, announcement, roomClosed
}

struct MessageCounts: Sendable {
  var received = Counts<ReceivedType>()
  var receivedBytes = Counts<ReceivedType>()
  var sent = Counts<SentType>()
  var sentBytes = Counts<SentType>()
  /// Messages that a connection was too far behind to take: a newer one replaces them.
  var conflated = Counts<SentType>()
  /// Messages over the rate, by whether their sender was told.
  var overRateRefused = 0
  var overRateDropped = 0
  /// Errors that requests were answered with.
  var errors: [WireErrorCode: Int] = [:]

  static func + (left: Self, right: Self) -> Self {
    MessageCounts(
      received: left.received + right.received,
      receivedBytes: left.receivedBytes + right.receivedBytes,
      sent: left.sent + right.sent,
      sentBytes: left.sentBytes + right.sentBytes,
      conflated: left.conflated + right.conflated,
      overRateRefused: left.overRateRefused + right.overRateRefused,
      overRateDropped: left.overRateDropped + right.overRateDropped,
      errors: left.errors + right.errors
    )
  }
}

final class MessageTraffic {
  private(set) var counts = MessageCounts()

  func note(received type: ReceivedType, bytes: Int) {
    counts.received[type] += 1
    counts.receivedBytes[type] += bytes
  }

  /// A message over the rate, of which only its length is known.
  func note(overRate bytes: Int, isTold: Bool) {
    note(received: .overRate, bytes: bytes)
    if isTold { counts.overRateRefused += 1 } else { counts.overRateDropped += 1 }
  }

  func note(sent type: SentType, bytes: Int) {
    counts.sent[type] += 1
    counts.sentBytes[type] += bytes
  }

  func note(conflated type: SentType) {
    counts.conflated[type] += 1
  }

  func note(error code: WireErrorCode) {
    counts.errors[code, default: 0] += 1
  }
}

extension ReceivedType {
  init(_ body: WireClientMessage.OneOf_Body?) {
    self =
      switch body {
      case .hello: .hello
      case .resume: .resume
      case .time: .time
      case .createRoom: .createRoom
      case .joinRoom: .joinRoom
      case .leaveRoom: .leaveRoom
      case .startGame: .startGame
      case .playAgain: .playAgain
      case .move: .move
      case .chat: .chat
      case .readChat: .readChat
      case .login: .login
      case .register: .register
      case .logout: .logout
      case .setNickname: .setNickname
      case .setPassword: .setPassword
      case .block: .block
      case .unblock: .unblock
      case .deleteAccount: .deleteAccount
      case .results: .results
      case .records: .records
      case .giveUpRun: .giveUpRun
      case .findLands: .findLands
      case .landRanking: .landRanking
      case .playerLands: .playerLands
      case .roomGames: .roomGames
      case .searchSchools: .searchSchools
      case .chooseSchool: .chooseSchool
      case .tap: .tap
      case .watchRanking: .watchRanking
      case .unwatchRanking: .unwatchRanking
      case nil: .unknown
      }
  }

  /// As the schema names it in JSON; what is none of its messages, as codes are written.
  var name: String {
    switch self {
    case .hello: "hello"
    case .resume: "resume"
    case .time: "time"
    case .createRoom: "createRoom"
    case .joinRoom: "joinRoom"
    case .leaveRoom: "leaveRoom"
    case .startGame: "startGame"
    case .playAgain: "playAgain"
    case .move: "move"
    case .chat: "chat"
    case .readChat: "readChat"
    case .login: "login"
    case .register: "register"
    case .logout: "logout"
    case .setNickname: "setNickname"
    case .setPassword: "setPassword"
    case .block: "block"
    case .unblock: "unblock"
    case .deleteAccount: "deleteAccount"
    case .results: "results"
    case .records: "records"
    case .giveUpRun: "giveUpRun"
    case .findLands: "findLands"
    case .landRanking: "landRanking"
    case .playerLands: "playerLands"
    case .roomGames: "roomGames"
    case .searchSchools: "searchSchools"
    case .chooseSchool: "chooseSchool"
    case .tap: "tap"
    case .watchRanking: "watchRanking"
    case .unwatchRanking: "unwatchRanking"
    case .unknown: WireErrorCode.unknownBody.name
    case .malformed: WireErrorCode.malformed.name
    case .overRate: "OVER_RATE"
    }
  }
}

extension SentType {
  init(_ body: WireServerMessage.OneOf_Body) {
    self =
      switch body {
      case .welcome: .welcome
      case .time: .time
      case .room: .room
      case .ok: .ok
      case .error: .error
      case .tick: .tick
      case .verdict: .verdict
      case .closing: .closing
      case .results: .results
      case .records: .records
      case .badge: .badge
      case .path: .path
      case .run: .run
      case .lands: .lands
      case .landRanking: .landRanking
      case .playerLands: .playerLands
      case .roomGames: .roomGames
      case .schools: .schools
      case .tapped: .tapped
      case .ranking: .ranking
      case .announcement: .announcement
      case .roomClosed: .roomClosed
      }
  }

  /// As the schema names it in JSON.
  var name: String {
    switch self {
    case .welcome: "welcome"
    case .time: "time"
    case .room: "room"
    case .ok: "ok"
    case .error: "error"
    case .tick: "tick"
    case .verdict: "verdict"
    case .closing: "closing"
    case .results: "results"
    case .records: "records"
    case .badge: "badge"
    case .path: "path"
    case .run: "run"
    case .lands: "lands"
    case .landRanking: "landRanking"
    case .playerLands: "playerLands"
    case .roomGames: "roomGames"
    case .schools: "schools"
    case .tapped: "tapped"
    case .ranking: "ranking"
    case .announcement: "announcement"
    case .roomClosed: "roomClosed"
    }
  }
}
