// What every back end promises: one contract, which Tests/StoreTests proves over each of them. What lasts is here and
// nowhere else: rooms' journals, games and results, players and sessions, school taps. Commits and reads answer on threads of the
// store's own; only what the start and the commands need waits.
import Game

/// What the store answers with, on a thread of its own, exactly once.
package typealias Completion<Value> = @Sendable (Result<Value, StoreFailure>) -> Void

/// The one place where things last.
///
/// After a failure the store goes on: a later commit may succeed, and nothing of the failed one is there.
package protocol Store: Sendable {
  /// Writes a batch as one transaction, durable when `completion` is called with success: the outcomes, in the order of
  /// `batch.changes`. Batches are written in the order of the calls. A failure has changed nothing. A batch that brings
  /// nothing new writes nothing.
  ///
  /// Of the tally every record is written, and rows are where they can be: when they meet damage, they stay as they were,
  /// and from then on, until the store is opened again, neither rows are written nor segments forgotten, which care tells.
  /// So a tally that is made again lacks nothing. A segment takes the place of those that have some of its records by their numbers: they could
  /// not be read when the tally was made.
  func commit(_ batch: Batch, _ completion: @escaping Completion<[Outcome]>)

  /// Folds segments into journals, in pieces between which commits get through, then forgets what nobody needs: journals
  /// older than rooms' newest snapshots and than `keepJournals` of games, closed rooms without either, sessions that
  /// ended or expired 30 days ago, and sanctions that are over. Guests without a result, a school that they have chosen, a
  /// sanction, or a room that remembers them are forgotten with their sessions when none of these expires later than
  /// `guestSessionsRest` from now. At last it erases players who are marked for it, as `erase` does.
  ///
  /// A piece that fails holds up no other kind of work; the first failure is the answer, and the next care tries again.
  ///
  /// A segment that can't be read is set aside, kept as long as journals are, and handed to `completion` once: whoever
  /// knows the rooms writes them down anew, so that no recovery needs it.
  ///
  /// Where rows of the tally are no longer written, a care that has done all this and has no segment to hand over answers with
  /// `.corrupt`, which says so, each time.
  func care(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>)

  /// Erases what is left of a player whom a commit has marked (`Change.deletePlayer`), in pieces between which commits get
  /// through. `completion` is called when nothing of the player is left, at once where there is nothing to erase. A piece that
  /// fails is tried again by each care until it succeeds. On a full disk the answer waits for that, so it may be late; any
  /// other failure is the answer, at once, and so is the store's end. A store that is opened again goes on with the next care.
  func erase(_ player: PlayerID, _ completion: @escaping Completion<Void>)

  /// What the store uses of the room that it has, as of the last commit or piece of care; nil for a store without a folder
  /// of its own. Any thread, at once.
  var usage: StoreUsage? { get }

  /// The password of the account with this e-mail, compared byte by byte: as it was registered, in the one form that the
  /// server gives it. Nil when there is none.
  func password(ofEmail email: String, _ completion: @escaping Completion<StoredPassword?>)
  /// The password of an account; nil for guests and strangers.
  func password(of player: PlayerID, _ completion: @escaping Completion<StoredPassword?>)
  /// Up to `limit` results of a player, newest first, from behind the cursor on.
  func results(
    of player: PlayerID,
    before cursor: ResultCursor?,
    limit: Int,
    _ completion: @escaping Completion<[ResultRow]>
  )
  /// What the records that count come to, by when their games ended: one for each range.
  func totals(of player: PlayerID, in ranges: [Range<Instant>], _ completion: @escaping Completion<[Totals]>)
  /// A player's badges, the lowest first.
  func badges(of player: PlayerID, _ completion: @escaping Completion<[AwardedBadge]>)

  /// The lands with these identifiers, in their order; those that are not there are left out.
  func lands(_ ids: [LandID], _ completion: @escaping Completion<[Land]>)
  /// The lands that have a vertex within so far of a place (at most 20 km), the nearest first, at most `limit`.
  func lands(near place: Coordinate, withinM: Int, limit: Int, _ completion: @escaping Completion<[NearbyLand]>)
  /// A land's ranking of solo runs, as a player is told of it; nil when there is no such land.
  func ranking(
    of land: LandID,
    top: Int,
    for player: PlayerID,
    ownTimesMax: Int,
    _ completion: @escaping Completion<LandRanking?>
  )
  /// Up to `limit` lands that a player has a time for, by when they got their best one, newest first, from behind the
  /// cursor on; nil when there is no such player. With `sharedWith` those alone that this player has a time for, too.
  func lands(
    of player: PlayerID,
    sharedWith other: PlayerID?,
    before cursor: PlayerLandCursor?,
    limit: Int,
    _ completion: @escaping Completion<[PlayerLand]?>
  )
  /// Up to `limit` games of a room that have ended, the newest first, of those before a number, with their results.
  func games(of room: RoomID, before number: UInt32?, limit: Int, _ completion: @escaping Completion<[StoredGame]>)

  /// What a player, by the tally's number, has counted in a season, as it is written: newer records may say more.
  /// `.corrupt` where rows of the tally are no longer written.
  func tapCounts(ofPlayer number: UInt32, season: UInt32, _ completion: @escaping Completion<[TapCountRow]>)

  /// Up to `limit` sanctions that are in force at a moment, the newest first.
  func sanctions(at now: Instant, limit: Int, _ completion: @escaping Completion<[SanctionRow]>)
  /// Up to `limit` rows of the audit log, the newest first, of those before a number.
  func audit(before number: Int64?, limit: Int, _ completion: @escaping Completion<[AuditRow]>)

  /// Adds lands, all or none; for each whether it is new. Waits.
  func addLands(_ lands: [Land]) throws(StoreFailure) -> [Bool]
  /// Hands over every land, in the order in which they were added. Waits. An error of `body` ends it, as `.other`.
  func allLands(_ body: (Land) throws -> Void) throws(StoreFailure)

  /// Makes `edition`, which has each school once, the newest of the list of schools, all or nothing: what it tells of a
  /// school is true from now on, and those that it lacks are closed, until one has them again. An edition that tells
  /// nothing new changes nothing. Waits.
  func applySchools(_ edition: [School], at: Instant) throws(StoreFailure) -> SchoolEdition
  /// Every school, closed ones too, in no order. Waits.
  func schools() throws(StoreFailure) -> [School]

  /// Hands over what the tally of school taps is made again from, as of one commit: rows in pieces of at most 10,000, first
  /// those of schools and seasons, then totals, players, counts; then the segments, oldest first. Waits.
  ///
  /// A segment that is missing between two others, or has no bytes at all, is handed over as an empty one, which no tally
  /// takes. A row that can't be read, and whatever `rows` or `segments` refuses because no tally can have it, ends it as
  /// `.corrupt`, with the table that it lies in; other errors of theirs end it as `.other`.
  func tally(rows: (TallyRows) throws -> Void, segments: ([UInt8]) throws -> Void) throws(StoreFailure)
  /// The final ranking of a season as it was told at its closing; nil for one that has not been closed. Waits.
  func finalRanking(of season: UInt32) throws(StoreFailure) -> SeasonClosing?

  /// Hands over every room that is open, with its journal from its newest snapshot on, but for what lay in segments that
  /// can't be read: the chunks' numbers tell, and `mayLackEnd` where no chunk comes behind. Waits. An error of `body` ends it, as `.other`.
  func liveRooms(_ body: (StoredRoom) throws -> Void) throws(StoreFailure)
  /// Those of these players whom nobody knows, because they have been deleted or are marked for it. Waits.
  func strangers(among players: [PlayerID]) throws(StoreFailure) -> [PlayerID]
  /// Players whose deletion has begun and has not come to `Change.deletePlayer`. Waits.
  var unfinishedDeletions: [PlayerID] { get throws(StoreFailure) }
  /// The highest number of a connection that has begun or resumed a session which is not forgotten; 0 without any. Waits.
  var lastConnection: UInt64 { get throws(StoreFailure) }
  /// The time of the newest batch that wrote anything; nil in a new store. Waits.
  var lastAliveAt: Instant? { get throws(StoreFailure) }
  /// The games that ended last, newest first. Waits.
  func games(newest limit: Int) throws(StoreFailure) -> [GameRow]
  /// A game that has ended, with its results by rank. Waits.
  func game(_ id: GameID) throws(StoreFailure) -> StoredGame?
  /// The room's journal from the beginning of a game that is on, as far as it is committed; nil when there is none. What
  /// lay in segments that can't be read is left out: the chunks' numbers tell. Waits.
  func journal(ofRunning id: GameID) throws(StoreFailure) -> [UInt8]?
  /// The room's journal as far as a game that has ended needs it to be played again; nil when it is not kept. Waits.
  func journal(of id: GameID) throws(StoreFailure) -> [UInt8]?

  /// Waits for the commits that are under way and ends; what comes later fails. May be called twice.
  func close()
}

/// So many ended sessions are kept of a player, to be told that they have ended; of older ones nothing is known.
package let endedSessionsMax = 8

/// A guest's session is good for 30 days and, while it is in use, renewed when a day of them is over, so one that expires within
/// so long has not been used for two days.
package let guestSessionsRest = Duration.seconds(27 * 86_400)
