// What a client may send, and how often: the numbers that both sides of the wire must know.
//
// Constants of the protocol's version 1. What a room allows is the rules' to say, and PROTOCOL.md lists it all.

/// Bounds of the wire.
public enum Limits {
  /// The longest message that a client may send, bytes; a longer one closes the connection with 1009.
  public static let messageBytesMax = 4_096
  /// `hello.deviceSecret`, bytes of UTF-8.
  public static let deviceSecretBytes = 16...256
  /// A nickname, extended grapheme clusters.
  public static let nicknameCharacters = 1...20
  /// A nickname, bytes of UTF-8, for a character may be endlessly long.
  public static let nicknameBytesMax = 320
  /// `chat.text`, extended grapheme clusters.
  public static let chatCharacters = 1...100
  /// `chat.text`, bytes of UTF-8.
  public static let chatBytesMax = 1_600
  /// `announcement.text`, extended grapheme clusters.
  public static let announcementCharacters = 1...500
  /// An e-mail address, bytes of UTF-8 (RFC 5321 leaves room for 254).
  public static let emailBytes = 3...254
  /// A password, extended grapheme clusters.
  public static let passwordCharacters = 8...64
  /// A password, bytes of UTF-8, for a character may be endlessly long.
  public static let passwordBytesMax = 256
  /// `results.limit`.
  public static let resultsLimit = 1...50
  /// `results.limit` where it is absent.
  public static let resultsLimitDefault = 20
  /// `results.cursor`, `playerLands.cursor`, `roomGames.cursor` and `searchSchools.cursor`, bytes.
  public static let cursorBytesMax = 128
  /// How many players one may block.
  public static let blockedPlayersMax = 10
  /// `createRoom.landIds`: over how many lands a room's games may go.
  public static let roomLands = 1...20
  /// A land's id, bytes of UTF-8.
  public static let landIDBytes = 1...64
  /// `findLands.withinM`.
  public static let landsWithinM = 1...20_000
  /// How many lands `lands` has, the nearest.
  public static let nearbyLandsMax = 50
  /// `landRanking.top`.
  public static let rankingTop = 1...100
  /// `landRanking.top` where it is absent.
  public static let rankingTopDefault = 3
  /// How many of the receiver's own times `landRanking` has, the newest.
  public static let ownTimesMax = 20
  /// `playerLands.limit`.
  public static let playerLandsLimit = 1...50
  /// `playerLands.limit` where it is absent.
  public static let playerLandsLimitDefault = 20
  /// `roomGames.limit`: each game has a board with up to 200 rows.
  public static let roomGamesLimit = 1...5
  /// `roomGames.limit` where it is absent.
  public static let roomGamesLimitDefault = 5
  /// `searchSchools.query` and `searchSchools.region`, bytes of UTF-8 each.
  public static let schoolQueryBytesMax = 1_000
  /// `searchSchools.limit`.
  public static let schoolsLimit = 1...50
  /// `searchSchools.limit` where it is absent.
  public static let schoolsLimitDefault = 20
  /// `tap.count`; a batch with more is ABNORMAL_TAPS. Also what all batches of `tapsWindowSeconds` may have together.
  public static let batchTaps: ClosedRange<Int64> = 1...229
  /// Any so many seconds; with more taps in them than a batch may have, a batch is RATE_LIMITED.
  public static let tapsWindowSeconds: Int64 = 5
  /// The most batches of a player in any second.
  public static let batchesPerSecond = 5
  /// `watchRanking.top`.
  public static let schoolRankingTop = 1...100
  /// `watchRanking.top` where it is absent.
  public static let schoolRankingTopDefault = 10

  /// How long a handshake may take, and after it `hello`, `login` or `resume`, seconds each; then 4005.
  public static let helloSeconds: Int64 = 10
  /// How often a client that says nothing is pinged, seconds.
  public static let pingIntervalSeconds: Int64 = 25
  /// The same for a client in a room.
  public static let pingIntervalInRoomSeconds: Int64 = 15
  /// How long a pong may take, seconds; then 4003.
  public static let pongSeconds: Int64 = 8

  /// Messages in from one connection, on average.
  public static let messagesPerSecond = 20
  /// Messages in from one connection, at once.
  public static let messageBurst = 60
  /// For how long a connection that has used up its burst is not read, milliseconds: the network slows it down before
  /// anything is refused.
  public static let overRatePauseMs: Int64 = 250
  /// How long a connection may go on beyond the rate of messages, seconds; then 4004.
  public static let overRateSecondsMax: Int64 = 5
  /// How many messages over the rate are answered with RATE_LIMITED before a pause of a second; further ones are dropped.
  public static let overRateAnswersMax = 50
  /// How many messages over the rate, without a pause of a second, close the connection at once.
  public static let overRateMessagesMax = 500
  /// New rooms in a minute for a player, burst and lasting rate at once.
  public static let roomsPerMinuteForPlayer = 10
  /// How often a player may be sent a room's whole state in a minute, by entering it or by coming back on a new connection;
  /// burst and lasting rate at once.
  public static let roomStatesPerMinuteForPlayer = 30
  /// The same for all players of one address: a whole school may be behind one.
  public static let roomStatesPerMinuteForAddress = 3_000
  /// Games that a player may start in a minute, and games of one room.
  public static let startsPerMinute = 10
  /// Rooms that a player has made and that are open at the same time.
  public static let openRoomsForPlayer = 10
  /// The same for all players of one address.
  public static let openRoomsForAddress = 1_000
  /// Chats of one player, on average.
  public static let chatsPerSecond = 1
  /// Chats of one player, at once.
  public static let chatBurst = 5
  /// Well-formed codes without a room that a session may name.
  public static let wrongCodesPerMinuteForSession = 5
  /// Well-formed codes without a room from one address, those over the WebSocket and those by HTTP each: a whole school may
  /// be behind one.
  public static let wrongCodesPerMinuteForAddress = 200
  /// Hellos from one address, the loopback's apart: a whole school may be behind one.
  public static let hellosPerMinuteForAddress = 1_200
  /// New guests from one address: a whole school may be behind one.
  public static let newGuestsPerMinuteForAddress = 600
  /// Questions of all players of one address, as for a player.
  public static let queriesPerMinuteForAddress = 3_000
  /// Questions of a player about results, records, lands, rankings and schools, and rooms over lands.
  public static let queriesPerMinute = 120
  /// Choices of a school of one player.
  public static let schoolChoicesPerMinute = 10
  /// How often the ranking of schools is published to a connection.
  public static let rankingIntervalMs: Int64 = 500
  /// Accounts that are deleted from one address.
  public static let deletionsPerMinuteForAddress = 10
  /// Wrong passwords for one e-mail address from one network, whether an account has it or not.
  public static let wrongPasswordsPerMinuteForEmailFromAddress = 5
  /// Wrong passwords for one e-mail address from all networks.
  public static let wrongPasswordsPerMinuteForEmail = 200
  /// Passwords from one address, right or wrong, to be set or to be checked: each costs some tenths of a second of a
  /// processor.
  public static let passwordsPerMinuteForAddress = 60
  /// For how long a session is good that is not used, days.
  public static let sessionDays = 30
  /// The how manieth token that is refused closes the connection with 4500.
  public static let refusedTokensMax = 3
  /// How much of the events that a client missed comes with `welcome`, reckoned as their texts' bytes and `eventBytes`
  /// for each; of more only the newest come, with `gap`.
  public static let missedEventBytesMax = 65_536
  /// What an event without its text is reckoned at; bytes.
  public static let eventBytes = 64
}
