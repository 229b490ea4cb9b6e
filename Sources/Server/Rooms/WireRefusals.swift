// The rules' refusals as error codes of the wire.
//
// Pure. The code is for the client's program, the text for its developer.
import Game
import Gateway
import MadangProtocol

extension Refusal {
  /// The error that answers a refused input; a nil text stands for the code's own.
  var wire: (code: WireErrorCode, text: String?, retryAfterMs: UInt32?) {
    switch self {
    case .roomFull: (.roomFull, nil, nil)
    case .gameOn: (.gameOn, nil, nil)
    case .noSpectators: (.noSpectators, nil, nil)
    case .hostOnly: (.hostOnly, nil, nil)
    case .tooFewPlayers: (.tooFewPlayers, nil, nil)
    case .wrongPhase: (.wrongPhase, nil, nil)
    case .seatNeeded: (.seatNeeded, nil, nil)
    case .badText(let why): (.outOfRange, "text: \(why)", nil)
    case .chatTooOften(let retryAfter): (.rateLimited, nil, retryAfter.wireMilliseconds)
    case .upToOutOfRange: (.outOfRange, "upTo: the number of an event that has been", nil)
    case .noRun: (.noRun, nil, nil)
    case .alreadyInRoom: (.alreadyInRoom, nil, nil)
    case .notInRoom, .closed: (.notInRoom, nil, nil)
    case .barred: (.barred, nil, nil)
    case .locked: (.roomLocked, nil, nil)
    case .noSuchMember: (.playerNotFound, "playerId: a player in the room", nil)
    case .oneself: (.outOfRange, "playerId: another's; leaveRoom takes you out", nil)
    }
  }
}

extension Session {
  /// Answers a request that the rules refuse.
  func refuse(_ id: UInt32?, _ refusal: Refusal) {
    let (code, text, retryAfterMs) = refusal.wire
    refuse(id, code, text, retryAfterMs: retryAfterMs)
  }
}

extension Request {
  /// Answers a request that the rules refuse.
  func refuse(_ refusal: Refusal) {
    session.refuse(id, refusal)
  }
}
