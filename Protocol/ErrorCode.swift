// The names and default texts of errors.
//
// The codes themselves are generated from `madang.proto`, which documents when each is sent. A new code there must get
// its name and text here, or this file does not compile.

extension WireErrorCode {
  /// The code's name in JSON, for example `ROOM_FULL`.
  public var name: String {
    switch self {
    case .unspecified: "ERROR_CODE_UNSPECIFIED"
    case .malformed: "MALFORMED"
    case .unknownBody: "UNKNOWN_BODY"
    case .outOfRange: "OUT_OF_RANGE"
    case .helloFirst: "HELLO_FIRST"
    case .alreadyWelcome: "ALREADY_WELCOME"
    case .rateLimited: "RATE_LIMITED"
    case .badToken: "BAD_TOKEN"
    case .badCode: "BAD_CODE"
    case .roomNotFound: "ROOM_NOT_FOUND"
    case .roomFull: "ROOM_FULL"
    case .gameOn: "GAME_ON"
    case .alreadyInRoom: "ALREADY_IN_ROOM"
    case .notInRoom: "NOT_IN_ROOM"
    case .hostOnly: "HOST_ONLY"
    case .tooFewPlayers: "TOO_FEW_PLAYERS"
    case .wrongPhase: "WRONG_PHASE"
    case .seatNeeded: "SEAT_NEEDED"
    case .shuttingDown: "SHUTTING_DOWN"
    case .overloaded: "OVERLOADED"
    case .storeUnavailable: "STORE_UNAVAILABLE"
    case .wrongPassword: "WRONG_PASSWORD"
    case .sessionExpired: "SESSION_EXPIRED"
    case .sessionEnded: "SESSION_ENDED"
    case .emailTaken: "EMAIL_TAKEN"
    case .nicknameTaken: "NICKNAME_TAKEN"
    case .alreadyRegistered: "ALREADY_REGISTERED"
    case .notRegistered: "NOT_REGISTERED"
    case .tooManyBlocked: "TOO_MANY_BLOCKED"
    case .playerNotFound: "PLAYER_NOT_FOUND"
    case .landNotFound: "LAND_NOT_FOUND"
    case .noRun: "NO_RUN"
    case .schoolNotFound: "SCHOOL_NOT_FOUND"
    case .schoolClosed: "SCHOOL_CLOSED"
    case .schoolNeeded: "SCHOOL_NEEDED"
    case .batchGap: "BATCH_GAP"
    case .abnormalTaps: "ABNORMAL_TAPS"
    case .banned: "BANNED"
    case .muted: "MUTED"
    case .UNRECOGNIZED(let number): String(number)
    }
  }

  /// The default text of an error: English, for the developer of a client.
  public var text: String {
    switch self {
    case .unspecified, .UNRECOGNIZED: "something is wrong with this request"
    case .malformed: "the message can't be decoded"
    case .unknownBody: "the message has no body, or one that this server does not know"
    case .outOfRange: "a field is out of its range"
    case .helloFirst: "say hello, login or resume first"
    case .alreadyWelcome: "this connection has its session already"
    case .rateLimited: "too many; see retryAfterMs"
    case .badToken: "the token belongs to no session; say hello"
    case .badCode: "this is no room code; check what was typed"
    case .roomNotFound: "there is no room with this code"
    case .roomFull: "the room is full"
    case .gameOn: "the game is on, and the room takes no spectators"
    case .alreadyInRoom: "leave the room that you are in first"
    case .notInRoom: "create or join a room first"
    case .hostOnly: "only the room's host may do this"
    case .tooFewPlayers: "a game needs two players"
    case .wrongPhase: "the room is not in the phase for this"
    case .seatNeeded: "spectators can't do this"
    case .shuttingDown: "the server is going down and begins nothing new"
    case .overloaded: "the server is over its load and makes no new room at the moment"
    case .storeUnavailable: "this can't be written down at the moment; nothing has changed"
    case .wrongPassword: "no account with this e-mail and password"
    case .sessionExpired: "the session was not used for too long; say hello or login"
    case .sessionEnded: "the session was ended; say hello or login"
    case .emailTaken: "another account has this e-mail"
    case .nicknameTaken: "another account has this nickname"
    case .alreadyRegistered: "this player is an account already"
    case .notRegistered: "only an account with e-mail and password can do this"
    case .tooManyBlocked: "unblock another player first"
    case .playerNotFound: "there is no such player"
    case .landNotFound: "there is no such land"
    case .noRun: "there is no run to give up"
    case .schoolNotFound: "there is no such school"
    case .schoolClosed: "this school is closed; choose another"
    case .schoolNeeded: "choose a school first"
    case .batchGap: "batches before this one are missing; see expectedBatch"
    case .abnormalTaps: "more taps than a batch may have; they are dropped, and the batch's number is used up"
    case .banned: "an operator has banned this player"
    case .muted: "an operator has taken the chat from this player"
    }
  }
}
