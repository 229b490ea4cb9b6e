// A player's requests, the errors that they may be refused with, and the data needed for their answers. Values.
import MadangProtocol
import Net

/// A request, with the data needed for its answer.
enum PlayerRequest {
  case hello(nickname: String)
  case resume(afterEvent: UInt32?)
  case time(sentAt: Timestamp)
  case createRoom
  case joinRoom
  case leaveRoom
  /// The number of the newest event that the player had received.
  case startGame(after: UInt32)
  case playAgain(after: UInt32)
  case kickPlayer(String, after: UInt32)
  case lockRoom
  case move
  case chat(String)
  case readChat
  case setPace
  case setNickname(String)
  case block(Int)
  case unblock(Int)
  /// The pages of results so far, with the games that were stored at the first request.
  case results(ResultPages)
  /// The number of records that were stored at the request.
  case records(stored: Int)
  case taps(TapRequest)
  case places(PlaceRequest)
  case stories(StoryRequest)
  case deleteAccount
}

extension PlayerRequest {
  /// The errors by which it may be refused at any time.
  var refusals: [WireErrorCode] {
    switch self {
    case .createRoom: [.rateLimited]
    case .joinRoom: [.rateLimited, .roomNotFound, .roomFull, .gameOn, .noSpectators]
    case .startGame: [.wrongPhase, .hostOnly, .tooFewPlayers, .seatNeeded]
    case .playAgain: [.wrongPhase, .hostOnly, .seatNeeded]
    // The host's part may have passed on, and the player have gone.
    case .kickPlayer: [.hostOnly, .playerNotFound, .outOfRange]
    case .lockRoom: [.hostOnly]
    case .move: [.seatNeeded]
    case .chat: [.rateLimited]
    // The server refuses a player whose connection is behind.
    case .results, .records: [.rateLimited]
    case .hello, .resume, .time, .leaveRoom, .readChat, .setPace, .setNickname, .unblock, .taps, .places, .stories: []
    case .deleteAccount: [.rateLimited]
    case .block: [.tooManyBlocked]
    }
  }
}

/// The pages of a player's results so far.
struct ResultPages {
  private let stored: Set<String>
  private var games: [String] = []
  private var endedAtMs = Int64.max

  /// Of a player with these stored games.
  init(stored: Set<String>) {
    self.stored = stored
  }

  /// Takes a page: older than the page before; the pages together hold all results that were stored at the first
  /// request.
  mutating func take(_ page: WireResults, points: [String: UInt32], of number: Int) throws(BrokenRule) {
    for row in page.results {
      let isRight = row.endedAtMs <= endedAtMs && !games.contains(row.gameID)
      try BrokenRule.unless(isRight, .resultsKept, "player \(number) got \(row.gameID) out of order")
      try BrokenRule.unless(points[row.gameID] == row.points, .resultsKept, "\(row.gameID) had other points")
      games.append(row.gameID)
      endedAtMs = row.endedAtMs
    }
    guard page.nextCursor.isEmpty else { return }
    let isWhole = stored.isSubset(of: games)
    try BrokenRule.unless(isWhole, .resultsKept, "player \(number) did not get all results")
  }
}
