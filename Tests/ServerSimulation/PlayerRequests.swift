// What a player asks for, and what is known of it until it is answered.
import MadangProtocol
import Net
import SeededRandom

extension Player {
  /// What an answer is awaited to.
  enum Request {
    case hello
    case resume(afterEvent: UInt32?)
    case time(sentAt: Timestamp)
    case createRoom
    case joinRoom
    case leaveRoom
    /// The number of the newest event that the player had been told.
    case startGame(after: UInt32)
    case playAgain(after: UInt32)
    case move
    case chat(String)
    case readChat
    case setNickname(String)
    case block(Int)
    case unblock(Int)
    /// Pages of results so far, with the games that were stored when the first was asked for.
    case results(Pages)
    /// How many records were stored when they were asked for.
    case records(stored: Int)
    case taps(TapRequest)
    case deleteAccount
  }

  /// What has come of a player's results, page by page.
  struct Pages {
    let stored: Set<String>
    var games: [String] = []
    var endedAtMs = Int64.max
  }

  /// Somewhere between a create, join, leave or start and its answer, no other is sent.
  var isDeciding: Bool {
    requests.values.contains { request in
      switch request {
      case .createRoom, .joinRoom, .leaveRoom, .startGame, .playAgain, .hello, .resume, .deleteAccount: true
      case .time, .move, .chat, .readChat, .setNickname, .block, .unblock, .results, .records, .taps: false
      }
    }
  }

  /// A request about the player themselves is under way.
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

  /// A text that nobody else says.
  func makeChat() -> String {
    chatsSaid += 1
    return "\(number)-\(chatsSaid) \(random.pick(["안녕", "ㅋㅋ", "here", "🏃‍♀️"]))"
  }
}
