// PROTOCOL.md, compared with the code: its examples are messages, and it names everything that a client may meet.
import Foundation
import MadangProtocol
import Testing

@Suite("PROTOCOL.md")
struct DocumentTests {
  private let text: String

  init() throws {
    text = try String(contentsOf: Vector.protocolFolder.appendingPathComponent("PROTOCOL.md"), encoding: .utf8)
  }

  @Test("Every example is a message exactly as it is written")
  func examples() throws {
    let lines = text.split(separator: "\n").filter { $0.contains(/^\w* ?[→←] \{/) }
    #expect(lines.count > 40)
    for line in lines {
      let json = [UInt8](line.drop { $0 != "{" }.utf8)
      // Encoding it again gives the same: nothing in it is unknown, misspelt or a default.
      if line.contains("→") {
        #expect(try Subprotocol.json.encode(Subprotocol.json.decodeClient(json)) == json, "\(line)")
      } else {
        #expect(try Subprotocol.json.encode(Subprotocol.json.decodeServer(json)) == json, "\(line)")
      }
    }
  }

  @Test("Every request, answer, event and word of the schema is named")
  func names() throws {
    let schema = try Schema()
    for message in ["ClientMessage", "ServerMessage", "Event"] {
      for body in try schema.bodies(of: message) { #expect(text.contains("`\(body)`"), "\(body)") }
    }
    #expect(schema.words.count > 25)
    for word in schema.words { #expect(text.contains("`\(word)`"), "\(word)") }
  }

  @Test("Every field of the schema is named")
  func fields() throws {
    let fields = try Schema().fields
    #expect(fields.count > 100)
    for field in fields { #expect(text.contains("`\(field)`"), "\(field)") }
  }

  @Test("Every close code and every subprotocol is explained")
  func codes() {
    for code in CloseCode.allCases { #expect(text.contains("| \(code.rawValue) |"), "\(code)") }
    for subprotocol in Subprotocol.allCases { #expect(text.contains("`\(subprotocol.rawValue)`")) }
  }

  @Test("The limits equal those of the code")
  func limits() {
    for claim in [
      "| \(Limits.messageBytesMax) bytes before `welcome`, \(Limits.longMessageBytesMax) bytes behind it",
      "\(Limits.deviceSecretBytes.lowerBound) to \(Limits.deviceSecretBytes.upperBound) bytes",
      "\(Limits.nicknameCharacters.lowerBound) to \(Limits.nicknameCharacters.upperBound) characters",
      "\(Limits.chatCharacters.lowerBound) to \(Limits.chatCharacters.upperBound) characters",
      "\(Limits.nicknameBytesMax) bytes", "\(Limits.chatBytesMax) bytes",
      "`text`, \(Limits.announcementCharacters.lowerBound) to \(Limits.announcementCharacters.upperBound) characters",
      "\(Limits.messagesPerSecond) a second, burst \(Limits.messageBurst)",
      "\(Limits.chatsPerSecond) a second, burst \(Limits.chatBurst)",
      "\(Limits.wrongCodesPerMinuteForSession) a minute", "\(Limits.wrongCodesPerMinuteForAddress) a minute",
      "\(Limits.emailBytes.lowerBound) to \(Limits.emailBytes.upperBound) bytes",
      "\(Limits.passwordCharacters.lowerBound) to \(Limits.passwordCharacters.upperBound) characters",
      "\(Limits.passwordBytesMax) bytes", "at most \(Limits.cursorBytesMax) bytes",
      "`limit` \(Limits.resultsLimit.lowerBound) to \(Limits.resultsLimit.upperBound)",
      "\(Limits.resultsLimitDefault) if absent", "block \(Limits.blockedPlayersMax) players",
      "\(Limits.wrongPasswordsPerMinuteForEmailFromAddress) a minute from one address, "
        + "\(Limits.wrongPasswordsPerMinuteForEmail) from all",
      "\(Limits.roomStatesPerMinuteForPlayer) a minute for a player, 3,000 for an address",
      "\(Limits.startsPerMinute) a minute for a player, and as many for a room",
      "\(Limits.openRoomsForPlayer) for a player, 1,000 for an address",
      "new guests of one address | \(Limits.newGuestsPerMinuteForAddress) a minute",
      "| `hello`s from one address | 1,200 a minute",
      "`deleteAccount`s from one address | \(Limits.deletionsPerMinuteForAddress) a minute",
      "new ones too | \(Limits.passwordsPerMinuteForAddress) a minute", "\(Limits.sessionDays) days",
      "every \(Limits.pingIntervalSeconds) s", "\(Limits.pingIntervalInRoomSeconds) s in a room",
      "\(Limits.pongSeconds) s", "\(Limits.helloSeconds) s", "\(Limits.overRateSecondsMax) s",
      "\(Limits.roomLands.lowerBound) to \(Limits.roomLands.upperBound) lands",
      "\(Limits.landIDBytes.lowerBound) to \(Limits.landIDBytes.upperBound) bytes",
      "`withinM` \(Limits.landsWithinM.lowerBound) to \(Limits.landsWithinM.upperBound)",
      "the nearest \(Limits.nearbyLandsMax)", "the newest \(Limits.ownTimesMax)",
      "`top` \(Limits.rankingTop.lowerBound) to \(Limits.rankingTop.upperBound)",
      "\(Limits.rankingTopDefault) of them if absent",
      "`limit` \(Limits.playerLandsLimit.lowerBound) to \(Limits.playerLandsLimit.upperBound), "
        + "\(Limits.playerLandsLimitDefault) if absent; `playerId`",
      "`name`, \(Limits.landNameCharacters.lowerBound) to \(Limits.landNameCharacters.upperBound) characters",
      "`limit` \(Limits.landProposalsLimit.lowerBound) to \(Limits.landProposalsLimit.upperBound), "
        + "\(Limits.landProposalsLimitDefault) if absent; `cursor`",
      "| \(Limits.landProposalsPerDay) a day, \(Limits.landProposalsPerDayForAddress) for an address",
      "in up to \(Limits.outlineVerticesMax) vertices",
      "`limit` \(Limits.roomGamesLimit.lowerBound) to \(Limits.roomGamesLimit.upperBound), "
        + "\(Limits.roomGamesLimitDefault) if absent; `cursor`",
      "`limit` \(Limits.schoolsLimit.lowerBound) to \(Limits.schoolsLimit.upperBound), "
        + "\(Limits.schoolsLimitDefault) if absent; `query`",
      "at most \(Limits.schoolQueryBytesMax) bytes each",
      "`count`, \(Limits.batchTaps.lowerBound) to \(Limits.batchTaps.upperBound) taps",
      "| \(Limits.batchTaps.upperBound) in any \(Limits.tapsWindowSeconds) s; else",
      "| \(Limits.batchesPerSecond) in any second; else",
      "`chooseSchool`s of a player | \(Limits.schoolChoicesPerMinute) a minute",
      "`top` \(Limits.schoolRankingTop.lowerBound) to \(Limits.schoolRankingTop.upperBound), "
        + "\(Limits.schoolRankingTopDefault) if absent",
      "`query`, at most \(Limits.countryQueryBytesMax) bytes; `continent`",
      "`limit` \(Limits.postsLimit.lowerBound) to \(Limits.postsLimit.upperBound), "
        + "\(Limits.postsLimitDefault) if absent; `cursor`",
      "`limit` \(Limits.topPosts.lowerBound) to \(Limits.topPosts.upperBound), "
        + "\(Limits.topPostsDefault) if absent, 1 of a country",
      "`limit` of comments \(Limits.commentsLimit.lowerBound) to \(Limits.commentsLimit.upperBound), "
        + "\(Limits.commentsLimitDefault) if absent",
      "1 to \(Limits.postQueryCharactersMax) characters and \(Limits.postQueryBytesMax) bytes",
      "first \(Limits.watchedPostsMax) posts", "at most every \(Limits.postNewsIntervalMs) ms",
      "writes, edits or deletes | \(Limits.postChangesPerMinute) a minute, 1,000 for an address",
      "writes, edits or deletes | \(Limits.commentChangesPerMinute) a minute, 3,000 for an address",
      "gives or takes back | \(Limits.likesPerMinute) a minute, 6,000 for an address",
      "views of a player | \(Limits.viewsPerMinute) a minute, 6,000 for an address",
      "`limit` \(Limits.plansLimit.lowerBound) to \(Limits.plansLimit.upperBound), "
        + "\(Limits.plansLimitDefault) if absent; `cursor`",
      "moves, deletes or takes over | \(Limits.planChangesPerMinute) a minute, 3,000 for an address",
    ] {
      #expect(text.contains(claim), "\(claim)")
    }
  }
}
