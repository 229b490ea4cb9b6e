// The tables of the double, and the writing of a batch: the same outcomes as a database's, with dictionaries as
// indexes. A plain value, so a batch that can't be written as a whole would leave the old value.
import Game
import Store

struct MemoryTables: Sendable {
  struct PlayerEntry {
    var nickname: String
    var device: [UInt8]?
    var email: String?
    var passwordHash: String?
    /// Since when it is an account.
    var registeredAt: Instant?
    var blocked: Set<PlayerID> = []
    /// The sanctions by kind; some may be over.
    var sanctions: [SanctionKind: Sanction] = [:]
    /// When it was made.
    var madeAt: Instant?
    /// The browsers that the player has come with, and when last.
    var browsers: [[UInt8]: Instant] = [:]
    /// The digest of the link by which the password can be set, and its end.
    var reset: (digest: [UInt8], expiresAt: Instant)?
  }

  struct SessionEntry {
    let player: PlayerID
    var connection: UInt64
    var expiresAt: Instant
    var endedAt: Instant?
    var isByDevice: Bool
  }

  /// The segments of a deletion's two steps: its begin, and the mark that no room names the player any more.
  struct ErasureEntry {
    let began: Int
    var ended: Int?
  }

  var rooms: [RoomID: RoomEntry] = [:]
  var players: [PlayerID: PlayerEntry] = [:]
  var sessions: [[UInt8]: SessionEntry] = [:]
  var erasures: [PlayerID: ErasureEntry] = [:]
  /// The lands in the order of their addition.
  var lands: [MemoryLand] = []
  var proposals: [ProposalID: LandProposal] = [:]
  var tracks = MemoryTracks()
  var capsules = MemoryCapsules()
  var media = MemoryMedia()
  var fences = MemoryFences()
  var webhooks = MemoryWebhooks()
  var history = MemoryHistory()
  var stories = MemoryStories()
  var plans = MemoryPlans()
  var profiles = MemoryProfiles()
  var moderation = MemoryModeration()
  /// The periods whose rankings are kept.
  var rankingPeriods: Set<RankingPeriod> = [.allTime]
  var schools: [SchoolID: School] = [:]
  var tally = MemoryTally()
  var badges: [PlayerID: [Int: Instant]] = [:]
  /// The audit log; the first entry is number 1.
  var audit: [AuditEntry] = []
  var lastAliveAt: Instant?
  private(set) var segment = 0
  /// The time by which the current batch judges sanctions.
  private(set) var sanctionsAt = Instant(milliseconds: 0)
  /// The time when the current batch was made.
  private(set) var batchAt = Instant(milliseconds: 0)
  /// Whether the current batch has changed anything.
  private var isChanged = false

  mutating func write(_ batch: Batch) -> [Outcome] {
    segment += 1
    sanctionsAt = batch.expiryAt
    batchAt = batch.at
    isChanged = false
    // New rooms have their first chunk in this batch.
    for case .room(.open(let room)) in batch.changes { open(room) }
    for segment in batch.segments where !segment.isEmpty {
      isChanged = true
      append(segment)
    }
    let outcomes = batch.changes.map { outcome(of: $0) }
    for change in batch.tally where !change.isEmpty {
      isChanged = true
      tally.write(change)
    }
    if isChanged || batch.marksTime { lastAliveAt = batch.at }
    return outcomes
  }

  private mutating func append(_ segment: Segment) {
    do {
      try segment.forEach { room, chunk in rooms[room]?.chunks.append((self.segment, [UInt8](chunk))) }
    } catch {
      preconditionFailure("a stored segment can be read: \(error)")
    }
  }

  private mutating func outcome(of change: Change) -> Outcome {
    switch change {
    // A lookup records its own changes.
    case .session(.resume), .account(.useSession): break
    default: isChanged = true
    }
    switch change {
    case .room(let change):
      write(change)
      return .room(.ok)
    case .game(.end(let game, let results)): return .game(.awarded(end(game, results)))
    case .session(let change): return .session(write(change))
    case .account(let change): return .account(write(change))
    case .deletion(.begin(let player, _)):
      beginErasure(of: player)
      return .deletion(.ok)
    case .deletion(.finish(let player, _)):
      markForErasure(player)
      return .deletion(.ok)
    case .sanction(.put(let sanction, let entry)): return .sanction(put(sanction, entry))
    case .sanction(.lift(let player, let kind, let at, let entry)):
      return .sanction(lift(kind, from: player, at: at, entry))
    case .import(let change): return .import(write(change))
    case .proposal(let change): return .proposal(write(change))
    case .capsule(let change):
      let outcome = capsules.write(change, knowing: readers, &media, at: batchAt)
      return .capsule(outcome, news: profiles.earn(by: change, outcome, at: batchAt))
    case .media(let change): return .media(media.write(change, knowing: players.keys))
    case .webhook(let change): return .webhook(webhooks.write(change, players, erasures, &audit))
    case .profile(let change): return .profile(profiles.write(change, stories, readers, &media, at: batchAt))
    case .story(let change):
      let isRepeat = if case .write(let post) = change { stories.posts[post.id] != nil } else { false }
      let outcome = stories.write(change, readers, plans, &media, at: batchAt)
      return .story(
        outcome,
        news: isRepeat ? [] : profiles.earn(by: change, outcome, stories, players.keys, at: batchAt)
      )
    case .plan(let change):
      let outcome = plans.write(change, readers, &stories)
      return .plan(outcome, news: profiles.earn(by: change, outcome, plans, at: batchAt))
    case .moderation(let change):
      return .moderation(moderation.write(change, readers, &stories, &plans, &capsules, &media, &audit, at: batchAt))
    case .track(let change): return .track(tracks.write(change, knowing: players.keys, rooms, erasures.keys))
    case .minute(let minute):
      history.add(minute)
      return .minute(.ok)
    case .audit(let entry):
      audit.append(entry)
      return .audit(.ok)
    }
  }

  /// The players as stories need them.
  var readers: MemoryStories.Players {
    Dictionary(uniqueKeysWithValues: players.keys.map { ($0, reader($0)) })
  }

  /// A player as stories and capsules need them; one who has blocked and reported nothing for an unknown one.
  func reader(_ id: PlayerID) -> MemoryStories.Reader {
    MemoryStories.Reader(
      nickname: players[id]?.nickname ?? ErasedText.text,
      blocked: players[id]?.blocked ?? [],
      reported: moderation.reported(by: id),
      registeredAt: players[id]?.registeredAt
    )
  }

  mutating func noteChange() { isChanged = true }
}
