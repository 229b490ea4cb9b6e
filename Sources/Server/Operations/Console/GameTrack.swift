// A game's course, for an operator to look through afterwards or while it is on: the room at its start, and one merged
// tick for each second.
//
// Replayed from the room's journal, on a thread that no player waits for. It decides nothing: the rules decide once
// more, and the result of an ended game must equal the stored one.
// Decisions: 041 (docs/decisions).
import ConsoleProtocol
import Game
import MadangProtocol
import Store
import WebSocket

struct GameTrack {
  /// As JSON.
  let json: [UInt8]

  /// The largest number of requests that wait for a track, the one in work included.
  static let waitingMax = 4
  /// Longer journals and tracks are refused: a replay takes a second of CPU.
  private static let journalBytesMax = 32 << 20
  private static let trackBytesMax = 32 << 20
  private static let tickMs: UInt32 = 1_000
  /// Far below the number of events that a room keeps.
  private static let eventsMax: UInt32 = 100

  /// The reason why there is no track.
  enum Fault: Error {
    case notKept
    case otherRules(UInt32)
    case tooLong
    case damaged(String)
  }

  /// The game in a track's path; nil for other paths.
  static func game(ofPath path: String) -> GameID? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[1] == "console", parts[2] == "games", parts[4] == "track" else { return nil }
    return GameID(String(parts[3]))
  }

  /// Answers with a game's track; waits for the store.
  static func response(for game: GameID, from store: any Store, acceptsGzip: Bool) -> HTTPResponse {
    do throws(Fault) {
      let bytes = try GameTrack(game, from: store).json
      let packed = acceptsGzip ? Gzip.compress(bytes) : nil
      var response = HTTPResponse.operator(200, "application/json", packed ?? bytes)
      response.headers.append(HeaderField("Vary", "Accept-Encoding"))
      if packed != nil { response.headers.append(HeaderField("Content-Encoding", "gzip")) }
      return response
    } catch {
      return error.response
    }
  }

  init(_ id: GameID, from store: any Store) throws(Fault) {
    let ended: GameRow?
    let journal: [UInt8]?
    do throws(StoreFailure) {
      if let running = try store.journal(ofRunning: id) {
        (ended, journal) = (nil, running)
      } else {
        (ended, journal) = (try store.game(id)?.row, try store.journal(of: id))
      }
    } catch {
      throw .damaged("\(error)")
    }
    guard let journal else { throw .notKept }
    guard journal.count <= Self.journalBytesMax else { throw .tooLong }
    do {
      try self.init(id, ended, journal)
    } catch let fault as Fault {
      throw fault
    } catch {
      throw .damaged("\(error)")
    }
  }

  private init(_ id: GameID, _ ended: GameRow?, _ journal: [UInt8]) throws {
    var replay = try GameReplay(id.number, in: journal, isGathered: true)
    guard replay.rulesVersion == RulesVersion.current else { throw Fault.otherRules(replay.rulesVersion) }
    guard let startedAt = try Self.start(&replay, id, isRunning: ended == nil) else { throw Fault.notKept }
    let state = WireRoom(replay.room, id.room, withholding: [], code: "", joinURL: "", at: startedAt)
    var authors = ChatAuthors(of: replay.room.chats)
    replay.skipGathering()

    var ticks = [UInt8(ascii: "[")]
    var tick = Tick()
    func gather() throws {
      try replay.gather(into: &tick)
      guard !tick.isEmpty else { return }
      authors.append(tick.events)
      if ticks.count > 1 { ticks.append(UInt8(ascii: ",")) }
      ticks += tick.json(of: id.room)
      guard ticks.count <= Self.trackBytesMax else { throw Fault.tooLong }
    }
    var dueMs = Self.tickMs
    while let at = try Self.next(&replay, isRunning: ended == nil) {
      let clockMs = replay.room.clockMs(at: at)
      guard clockMs >= dueMs || replay.ungatheredEvents >= Self.eventsMax else { continue }
      try gather()
      dueMs = clockMs - clockMs % Self.tickMs + Self.tickMs
    }
    try gather()
    if let ended {
      guard replay.result?.fingerprint == ended.fingerprint else { throw Fault.damaged("it comes out differently") }
    }
    ticks.append(UInt8(ascii: "]"))
    let track = FeedTrack.with {
      $0.game = id.description
      $0.mode = replay.room.configuration.mode.name
      $0.startedAtMs = replay.room.startedAt.milliseconds
      // The game may have ended since the request.
      if let result = replay.result { $0.endedAtMs = result.endedAt.milliseconds }
      $0.authors = authors.byEvent
    }
    json = track.consoleJSON(with: ["room": state.json, "ticks": ticks])
  }

  /// Plays up to the game's start and returns its time; nil where the journal does not reach it.
  private static func start(_ replay: inout GameReplay, _ id: GameID, isRunning: Bool) throws -> Instant? {
    while let at = try next(&replay, isRunning: isRunning) {
      if replay.room.gameNumber == id.number { return at }
    }
    return nil
  }

  /// Plays the next input and returns its time; nil after the last. The journal of a running game just ends.
  private static func next(_ replay: inout GameReplay, isRunning: Bool) throws -> Instant? {
    var effects = Effects()
    do throws(JournalFault) {
      return try replay.next(into: &effects)?.at
    } catch {
      guard isRunning, error.reason == .noEnd else { throw error }
      return nil
    }
  }
}

extension GameTrack.Fault {
  /// The answer without a track.
  var response: HTTPResponse {
    switch self {
    case .notKept: .operatorText(404, "there is no such game, or its journal is no longer kept\n")
    case .otherRules(let version):
      .operatorText(404, "it was played by rules \(version), which are no longer here\n")
    case .tooLong: .operatorText(413, "it is too long to be shown\n")
    case .damaged(let why): .operatorText(500, "it can't be played again: \(why)\n")
    }
  }
}
