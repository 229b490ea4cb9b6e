// A player's requests, and the data needed for their answers.
import MadangProtocol
import Net
import SeededRandom

extension Player {
  /// A request that awaits its answer.
  enum Request {
    case hello
    case resume(afterEvent: UInt32?)
    case time(sentAt: Timestamp)
    case createRoom
    case joinRoom
    case leaveRoom
    /// The number of the newest event that the player had received.
    case startGame(after: UInt32)
    case playAgain(after: UInt32)
    case move
    case chat(String)
    case readChat
    case setNickname(String)
    case block(Int)
    case unblock(Int)
    /// The pages of results so far, with the games that were stored at the first request.
    case results(Pages)
    /// The number of records that were stored at the request.
    case records(stored: Int)
    case taps(TapRequest)
    case deleteAccount
  }

  /// The pages of a player's results so far.
  struct Pages {
    let stored: Set<String>
    var games: [String] = []
    var endedAtMs = Int64.max
  }

  /// Whether a create, join, leave or start awaits its answer; no other is sent meanwhile.
  var isDeciding: Bool {
    requests.values.contains { request in
      switch request {
      case .createRoom, .joinRoom, .leaveRoom, .startGame, .playAgain, .hello, .resume, .deleteAccount: true
      case .time, .move, .chat, .readChat, .setNickname, .block, .unblock, .results, .records, .taps: false
      }
    }
  }

  /// Whether a request about the player's own account is under way.
  var isTendingAccount: Bool {
    requests.values.contains { request in
      switch request {
      case .setNickname, .block, .unblock, .results, .records: true
      default: false
      }
    }
  }

  func askResults(_ cursor: String, _ pages: Pages, at now: Timestamp) {
    var request = WireResultsRequest()
    request.cursor = cursor
    request.limit = 2
    ask(.results(request), .results(pages), at: now)
  }

  func askRecords(at now: Timestamp) {
    ask(.records(.init()), .records(stored: world.written.records[playerID ?? ""] ?? 0), at: now)
  }

  /// A text that no other player says.
  func makeChat() -> String {
    chatsSaid += 1
    return "\(number)-\(chatsSaid) \(random.pick(["안녕", "ㅋㅋ", "here", "🏃‍♀️"]))"
  }
}
