// A player's requests that are not answered yet. A value of one player.
import Net

/// The unanswered requests of one connection, by id.
struct OpenRequests {
  private var requests: [UInt32: (request: PlayerRequest, askedAt: Timestamp)] = [:]
  private var lastID: UInt32 = 0

  var isEmpty: Bool { requests.isEmpty }
  var count: Int { requests.count }

  /// Adds a request; returns its id, which no other of the player's requests has.
  mutating func add(_ request: PlayerRequest, at now: Timestamp) -> UInt32 {
    lastID += 1
    requests[lastID] = (request, now)
    return lastID
  }

  /// Takes out the request that is answered.
  mutating func take(_ id: UInt32) -> (request: PlayerRequest, askedAt: Timestamp)? {
    requests.removeValue(forKey: id)
  }

  /// The answer has not told whether the request is done: it counts as unanswered.
  mutating func putBack(_ request: PlayerRequest, at now: Timestamp) {
    _ = add(request, at: now)
  }

  /// The connection is lost: takes out all.
  mutating func takeAll() -> [PlayerRequest] {
    defer { requests = [:] }
    return requests.values.map(\.request)
  }

  private func contains(where isMeant: (PlayerRequest) -> Bool) -> Bool {
    requests.values.contains { isMeant($0.request) }
  }

  /// Whether a create, join, leave or start awaits its answer; no other is sent meanwhile.
  var hasDecision: Bool {
    contains { request in
      switch request {
      case .createRoom, .joinRoom, .leaveRoom, .startGame, .playAgain, .hello, .resume, .deleteAccount, .kickPlayer,
        .lockRoom:
        true
      case .time, .move, .chat, .readChat, .setPace, .setNickname, .block, .unblock, .results, .records, .taps, .places,
        .stories:
        false
      }
    }
  }

  /// Whether a request about the player's own account is under way.
  var hasAccount: Bool {
    contains { request in
      switch request {
      case .setNickname, .block, .unblock, .results, .records: true
      default: false
      }
    }
  }

  /// Whether a request about the player's own taps is under way.
  var hasTaps: Bool {
    contains { request in
      switch request {
      case .taps(.watch), .taps(.unwatch): false
      case .taps, .deleteAccount: true
      default: false
      }
    }
  }

  /// Whether a request about the ranking is under way.
  var hasRanking: Bool {
    contains { request in
      switch request {
      case .taps(.watch), .taps(.unwatch): true
      default: false
      }
    }
  }

  /// Whether a request that changes the player's capsules is under way.
  var hasCapsuleChange: Bool {
    contains { if case .places(let request) = $0 { request.isChange } else { false } }
  }

  /// Whether a request to watch places, or to end that, is under way.
  var hasPlaceWatch: Bool {
    contains { if case .places(let request) = $0 { request.isWatch } else { false } }
  }

  /// Whether a request that changes stories is under way.
  var hasStoryChange: Bool {
    contains { if case .stories(let request) = $0 { request.isChange } else { false } }
  }

  /// Whether a request to watch stories, or to end that, is under way.
  var hasStoryWatch: Bool {
    contains { if case .stories(let request) = $0 { request.isWatch } else { false } }
  }

  /// Whether a request to be deleted is under way.
  var hasDeletion: Bool {
    contains { if case .deleteAccount = $0 { true } else { false } }
  }
}

extension OpenRequests: CustomStringConvertible {
  var description: String { "\(requests.mapValues(\.request))" }
}
