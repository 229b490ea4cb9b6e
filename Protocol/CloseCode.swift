// The reasons for which a server closes a WebSocket, beyond those of RFC 6455 section 7.4.
//
// A value. Codes from 4000 are free for applications. The half in which a code lies tells a client what to do, even for
// a code newer than the client.

/// A close code of this protocol.
public enum CloseCode: UInt16, CaseIterable, Hashable, Sendable {
  /// The server is going down; another or a new one will replace it.
  case shuttingDown = 4000
  /// The room is on another server now.
  case roomMoved = 4001
  /// The client received messages too slowly.
  case tooSlow = 4002
  /// The client did not answer a ping in time.
  case noPong = 4003
  /// The client went on sending too much.
  case rateLimited = 4004
  /// Neither `hello` nor `login` nor `resume` came in time.
  case helloTooLate = 4005
  /// The change that a request waits for could not be written in time.
  case storeUnavailable = 4006
  /// `resume` came too often with a token of no session.
  case badToken = 4500
  /// The client violates this protocol.
  case badRequest = 4501
  /// An operator has removed the player.
  case removed = 4503
  /// The player has a newer connection.
  case replaced = 4504
  /// The server no longer speaks this version of the protocol.
  case versionNotSupported = 4506

  /// Whether a client should come back by itself: true for codes up to 4499; from 4500 on it would be in vain.
  public var comesBack: Bool { Self.comesBack(rawValue) }

  /// Whether a client should come back after any code from 4000 on, including one that this enumeration does not know.
  public static func comesBack(_ code: UInt16) -> Bool { code < 4500 }

  /// The reason in the close frame beside the code: English, at most 123 bytes, for the developer of the client.
  public var reason: String {
    switch self {
    case .shuttingDown: "the server is going down; come back"
    case .roomMoved: "the room is on another server; come back"
    case .tooSlow: "too slow in taking messages; come back"
    case .noPong: "no pong in time; come back"
    case .rateLimited: "too many messages for too long; come back slower"
    case .helloTooLate: "no hello, login or resume in time; come back"
    case .storeUnavailable: "not written in time; come back"
    case .badToken: "the session token is not known; say hello or login"
    case .badRequest: "this is not the protocol"
    case .removed: "removed by an operator"
    case .replaced: "the player has connected anew elsewhere"
    case .versionNotSupported: "this version of the protocol is no longer spoken"
    }
  }
}
