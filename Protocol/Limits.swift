// The bounds of a client's messages and their rates: the numbers that both sides of the wire must know.
//
// Constants of the protocol's version 1. The rules define a room's own bounds, and PROTOCOL.md lists them all.

/// Bounds of the wire.
public enum Limits {
  /// The version of the protocol that these messages are.
  public static let protocolVersion: UInt32 = 1
  /// The longest message that a client may send before it is welcome, and the longest `move`, `moves`, `tap` and
  /// `chat`; bytes. A longer one closes the connection with 1009, and is MESSAGE_TOO_LONG behind `welcome`.
  public static let messageBytesMax = 4_096
  /// The longest message of any other kind behind `welcome`, bytes; a longer one closes the connection with 1009.
  public static let longMessageBytesMax = 16_384
  /// `hello.deviceSecret`, bytes of UTF-8.
  public static let deviceSecretBytes = 16...256
  /// A nickname, extended grapheme clusters.
  public static let nicknameCharacters = 1...20
  /// A nickname, bytes of UTF-8, since a character may have any length.
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
  /// A password, bytes of UTF-8, since a character may have any length.
  public static let passwordBytesMax = 256
  /// `results.limit`.
  public static let resultsLimit = 1...50
  /// `results.limit` where it is absent.
  public static let resultsLimitDefault = 20
  /// The `cursor` of any request, bytes.
  public static let cursorBytesMax = 128
  /// The greatest number of players that one may block.
  public static let blockedPlayersMax = 10
  /// `createRoom.landIds`: the number of lands of a room's games.
  public static let roomLands = 1...20
  /// A land's id, bytes of UTF-8.
  public static let landIDBytes = 1...64
  /// `findLands.withinM`.
  public static let landsWithinM = 1...20_000
  /// The greatest number of lands in `lands`, the nearest.
  public static let nearbyLandsMax = 50
  /// The greatest number of lands in `lands` of a map; the next page has more.
  public static let landsOnMapMax = 50
  /// The greatest number of vertices in the outline of a land.
  public static let outlineVerticesMax = 64
  /// The tolerance of an outline is this part of the map's height.
  public static let outlineParts: Int64 = 512
  /// `landRanking.top`.
  public static let rankingTop = 1...100
  /// `landRanking.top` where it is absent.
  public static let rankingTopDefault = 3
  /// `landRankings.landIds`: the number of lands in one request.
  public static let rankedLands = 1...20
  /// `landRankings.top`.
  public static let rankingsTop = 1...10
  /// `landRankingPage.limit` and `schoolRanking.limit`.
  public static let rankingPageLimit = 1...100
  /// `landRankingPage.limit` and `schoolRanking.limit` where it is absent.
  public static let rankingPageLimitDefault = 50
  /// The greatest number of the receiver's own times in `landRanking`, the newest.
  public static let ownTimesMax = 20
  /// `playerLands.limit`.
  public static let playerLandsLimit = 1...50
  /// `playerLands.limit` where it is absent.
  public static let playerLandsLimitDefault = 20
  /// `proposeLand.name`, extended grapheme clusters.
  public static let landNameCharacters = 1...100
  /// `landProposals.limit`.
  public static let landProposalsLimit = 1...50
  /// `landProposals.limit` where it is absent.
  public static let landProposalsLimitDefault = 20
  /// `listCapsules.limit`.
  public static let capsulesLimit = 1...50
  /// `listCapsules.limit` where it is absent.
  public static let capsulesLimitDefault = 10
  /// The greatest number of capsules on a map; where there are more, they come as clusters.
  public static let capsulesOnMapMax = 256
  /// Reads of the capsules around a player who watches places, and of those that can be opened.
  public static let capsuleReadsPerMinute = 120
  /// Changes of capsules of one player: to bury, edit, share or delete one.
  public static let capsuleChangesPerMinute = 30
  /// Changes of capsules of all players of one address.
  public static let capsuleChangesPerMinuteForAddress = 1_000
  /// `searchCountries.query`, bytes of UTF-8.
  public static let countryQueryBytesMax = 200
  /// `askUpload.bytes`: the longest file of a picture.
  public static let uploadBytes = 1...5_242_880
  /// The longest side of a picture, pixels.
  public static let pictureSideMax = 12_000
  /// All pixels of a picture.
  public static let picturePixelsMax = 50_000_000
  /// Uploads of an account in a day.
  public static let uploadsPerDay = 50
  /// Bytes that an account announces for its uploads in a day.
  public static let uploadBytesPerDay = 500_000_000
  /// Uploads of a guest in a day.
  public static let guestUploadsPerDay = 10
  /// Bytes that a guest announces for uploads in a day.
  public static let guestUploadBytesPerDay = 20_000_000
  /// Uploads of all players of one address in an hour: a school on a trip.
  public static let uploadsPerHourForAddress = 2_000
  /// The greatest number of countries that are recommended.
  public static let recommendedCountriesMax = 5
  /// `listPosts.limit`, `searchPosts.limit` and `watchFeed.limit`.
  public static let postsLimit = 1...50
  /// `listPosts.limit`, `searchPosts.limit` and `watchFeed.limit` where it is absent.
  public static let postsLimitDefault = 10
  /// The posts at the top of a feed that its watchers are told of.
  public static let watchedPostsMax = 20
  /// `topPosts.limit`.
  public static let topPosts = 1...50
  /// `topPosts.limit` where it is absent; 1 of one country's posts of all time.
  public static let topPostsDefault = 5
  /// `topPosts.days` and `watchFeed.topDays`.
  public static let topDays = 1...30
  /// `topPosts.days` of all countries where it is absent.
  public static let topDaysDefault: UInt32 = 7
  /// `searchPosts.query`, extended grapheme clusters.
  public static let postQueryCharactersMax = 100
  /// `searchPosts.query`, bytes of UTF-8.
  public static let postQueryBytesMax = 400
  /// `readPost.limit`, `watchPost.limit` and `listComments.limit`.
  public static let commentsLimit = 1...50
  /// `readPost.limit`, `watchPost.limit` and `listComments.limit` where it is absent.
  public static let commentsLimitDefault = 20
  /// `hashtags.limit`.
  public static let hashtagsLimit = 1...50
  /// `hashtags.limit` where it is absent.
  public static let hashtagsLimitDefault = 10
  /// Posts that one player writes, edits or deletes.
  public static let postChangesPerMinute = 20
  /// Posts that all players of one address write, edit or delete.
  public static let postChangesPerMinuteForAddress = 1_000
  /// Comments that one player writes, edits or deletes.
  public static let commentChangesPerMinute = 30
  /// Comments that all players of one address write, edit or delete.
  public static let commentChangesPerMinuteForAddress = 3_000
  /// Likes that one player gives or takes back.
  public static let likesPerMinute = 60
  /// Likes that all players of one address give or take back.
  public static let likesPerMinuteForAddress = 6_000
  /// Views of one player that are looked at.
  public static let viewsPerMinute = 60
  /// Views of all players of one address that are looked at.
  public static let viewsPerMinuteForAddress = 6_000
  /// `listPlans.limit`.
  public static let plansLimit = 1...50
  /// `listPlans.limit` where it is absent.
  public static let plansLimitDefault = 20
  /// Changes of plans of one player: to make, edit, delete or take one over, and to change a stop.
  public static let planChangesPerMinute = 60
  /// Changes of plans of all players of one address.
  public static let planChangesPerMinuteForAddress = 3_000
  /// Changes of one player's profile.
  public static let profileChangesPerMinute = 10
  /// Changes of the profiles of all players of one address.
  public static let profileChangesPerMinuteForAddress = 1_000
  /// The least time between two news of a post to one watcher, milliseconds.
  public static let postNewsIntervalMs: Int64 = 400
  /// The least time between two news of a feed to one watcher, milliseconds.
  public static let feedNewsIntervalMs: Int64 = 1_000
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
  /// `tap.count`; a batch with more is ABNORMAL_TAPS. Also the most taps of all batches of `tapsWindowSeconds`
  /// together.
  public static let batchTaps: ClosedRange<Int64> = 1...229
  /// The window for that sum, seconds; a batch beyond it is RATE_LIMITED.
  public static let tapsWindowSeconds: Int64 = 5
  /// The most batches of a player in any second.
  public static let batchesPerSecond = 5
  /// `watchRanking.top`.
  public static let schoolRankingTop = 1...100
  /// `watchRanking.top` where it is absent.
  public static let schoolRankingTopDefault = 10

  /// The time for a handshake, and then again for `hello`, `login` or `resume`, seconds each; then 4005.
  public static let helloSeconds: Int64 = 10
  /// The time for which a player waits for the consent of a room's host.
  public static let consentSeconds: Int64 = 60
  /// The interval of pings to a silent client, seconds.
  public static let pingIntervalSeconds: Int64 = 25
  /// The interval of pings to a silent client in a room, seconds.
  public static let pingIntervalInRoomSeconds: Int64 = 15
  /// The time for a pong, seconds; then 4003.
  public static let pongSeconds: Int64 = 8

  /// The rate of messages from one connection, on average.
  public static let messagesPerSecond = 20
  /// The burst of messages from one connection.
  public static let messageBurst = 60
  /// The rate of a player's fixes by their own times, on average and at once; the rules refuse further ones.
  public static let fixesPerSecond = 10
  /// The time for which a connection is not read after its burst, milliseconds: the network slows it down before
  /// anything is refused.
  public static let overRatePauseMs: Int64 = 250
  /// The time for which a connection may exceed the rate of messages, seconds; then 4004.
  public static let overRateSecondsMax: Int64 = 5
  /// The number of messages over the rate that are answered with RATE_LIMITED before a pause of a second; further ones
  /// are dropped.
  public static let overRateAnswersMax = 50
  /// The number of messages over the rate, without a pause of a second, that closes the connection at once.
  public static let overRateMessagesMax = 500
  /// New rooms of a player, burst and steady rate at once.
  public static let roomsPerMinuteForPlayer = 10
  /// Whole states of rooms sent to a player, on entering or on coming back on a new connection; burst and steady rate
  /// at once.
  public static let roomStatesPerMinuteForPlayer = 30
  /// Whole states sent to all players of one address: a whole school may be behind one.
  public static let roomStatesPerMinuteForAddress = 3_000
  /// Starts of games by one player, and of games in one room.
  public static let startsPerMinute = 10
  /// Open rooms that one player has made.
  public static let openRoomsForPlayer = 10
  /// Open rooms that all players of one address have made.
  public static let openRoomsForAddress = 1_000
  /// Chats of one player, on average.
  public static let chatsPerSecond = 1
  /// Chats of one player, at once.
  public static let chatBurst = 5
  /// Well-formed codes without a room, named by one session.
  public static let wrongCodesPerMinuteForSession = 5
  /// Well-formed codes without a room from one address, over the WebSocket and by HTTP each: a whole school may be
  /// behind one.
  public static let wrongCodesPerMinuteForAddress = 200
  /// Hellos from one address other than the loopback's: a whole school may be behind one.
  public static let hellosPerMinuteForAddress = 1_200
  /// New guests from one address: a whole school may be behind one.
  public static let newGuestsPerMinuteForAddress = 600
  /// Questions of all players of one address, of the same kinds as for one player.
  public static let queriesPerMinuteForAddress = 3_000
  /// Questions of a player about results, records, lands, rankings and schools, and rooms over lands.
  public static let queriesPerMinute = 120
  /// Reports of one player; burst and steady rate at once.
  public static let reportsPerHour: Int64 = 30
  /// Reports of all players of one address.
  public static let reportsPerHourForAddress: Int64 = 1_000
  /// Proposals of lands of one player: each replays a game.
  public static let landProposalsPerDay = 10
  /// Proposals of lands of all players of one address.
  public static let landProposalsPerDayForAddress = 200
  /// Courses of games that one player asks for: each replays a game.
  public static let gameTracksPerMinute = 10
  /// Courses of games that all players of one address ask for.
  public static let gameTracksPerMinuteForAddress = 300
  /// Games behind links that one address asks for.
  public static let sharedTracksPerMinuteForAddress = 120
  /// Changes of links and consents of one player.
  public static let trackChangesPerMinute = 30
  /// Changes of links and consents of all players of one address.
  public static let trackChangesPerMinuteForAddress = 1_000
  /// Choices of a school of one player.
  public static let schoolChoicesPerMinute = 10
  /// The interval at which the ranking of schools is published to a connection.
  public static let rankingIntervalMs: Int64 = 500
  /// Deletions of accounts from one address.
  public static let deletionsPerMinuteForAddress = 10
  /// Wrong passwords for one e-mail address from one network, whether an account has it or not.
  public static let wrongPasswordsPerMinuteForEmailFromAddress = 5
  /// Wrong passwords for one e-mail address from all networks.
  public static let wrongPasswordsPerMinuteForEmail = 200
  /// Passwords from one address, right or wrong, to be set or checked: each costs some tenths of a second of a
  /// processor.
  public static let passwordsPerMinuteForAddress = 60
  /// The lifetime of an unused session, days.
  public static let sessionDays = 30
  /// The number of refused tokens that closes the connection with 4500.
  public static let refusedTokensMax = 3
  /// The greatest size of the missed events in `welcome`: the bytes of their texts, and `eventBytes` for each; beyond
  /// it only the newest come, with `gap`.
  public static let missedEventBytesMax = 65_536
  /// The size of an event without its text; bytes.
  public static let eventBytes = 64
}
