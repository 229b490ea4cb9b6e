// The JSON of `madang player export`. Plain values; the names are the wire's.
import Game
import Store

/// Everything that is kept on one player. A later feature adds its own members.
struct ExportedPlayer: Encodable {
  struct Session: Encodable {
    let expiresAtMs: Int64
    let endedAtMs: Int64?
  }

  struct Browser: Encodable {
    let seenAtMs: Int64
  }

  struct Sanction: Encodable {
    let kind: String
    let sinceMs: Int64
    let untilMs: Int64?
    let reason: String
    /// Until when the ban holds for new guests of the player's network too; absent where it does not.
    let newGuestsUntilMs: Int64?
  }

  struct OperatorAction: Encodable {
    let atMs: Int64
    let action: String
    let roomId: String?
    let detail: String
    let reason: String
  }

  struct Badge: Encodable {
    let badge: Int
    let awardedAtMs: Int64
  }

  struct Result: Encodable {
    let gameId: String
    let mode: String
    let landId: String?
    let endedAtMs: Int64
    let nickname: String
    let points: UInt32
    let distanceMm: Int64
    let timeMs: Int64
    /// Absent for a first place without points, which is nobody's.
    let rank: Int?
    let won: Bool
    let completed: Bool
    let counts: Bool
    let calories: Int64
    let latePercent: UInt8
    let withheldPercent: UInt8
    /// The accepted positions; absent when the game's journal is no longer kept.
    let track: [ExportedGame.Point]?
  }

  struct LandRun: Encodable {
    let landId: String
    let capturedAtMs: Int64
    let timeMs: Int64
  }

  struct Proposal: Encodable {
    let proposalId: String
    let gameId: String
    let name: String
    let state: String
    let reason: String?
    let proposedAtMs: Int64
    let ring: [Place]
  }

  /// A link of the player's to a game.
  struct SharedGame: Encodable {
    let gameId: String
    let madeAtMs: Int64
  }

  struct Place: Encodable {
    let latE7: Int32
    let lngE7: Int32

    init(_ place: Coordinate) {
      (latE7, lngE7) = (place.latE7, place.lngE7)
    }
  }

  /// The player's chats and nicknames in the kept journal of a room.
  struct Room: Encodable {
    let roomId: String
    let texts: [String]
  }

  struct SchoolTaps: Encodable {
    let school: String
    let season: UInt32
    let count: Int64
    let voided: Int64
  }

  struct Capsule: Encodable {
    let capsuleId: String
    let title: String
    let text: String
    let pictures: [String]
    let memoryDate: String
    let place: Place
    let buriedAtMs: Int64
    let editedAtMs: Int64?
    let everyone: Bool
    /// Only its owner sees it.
    let hidden: Bool
    let opens: Int64
    let sharedWith: [String]
  }

  struct Opening: Encodable {
    let capsuleId: String
    let openedAtMs: Int64
  }

  struct NamedSound: Encodable {
    let name: String
    let volumePercent: Int
  }

  struct OwnPost: Encodable {
    let postId: String
    let title: String
    let text: String
    let countries: [String]
    let music: NamedSound?
    let effects: [NamedSound]
    let pictures: [String]
    let place: Place?
    let capsuleId: String?
    let planId: String?
    let writtenAtMs: Int64
    let editedAtMs: Int64?
    let likes: Int64
    let views: Int64
    let comments: Int64
    /// Only its author sees it.
    let hidden: Bool
  }

  struct OwnComment: Encodable {
    let commentId: String
    let postId: String
    let text: String
    let writtenAtMs: Int64
    let editedAtMs: Int64?
    /// Only its author sees it.
    let hidden: Bool
  }

  struct Like: Encodable {
    let postId: String
    let likedAtMs: Int64
  }

  struct View: Encodable {
    let postId: String
    let viewedAtMs: Int64
  }

  struct OwnPlan: Encodable {
    let planId: String
    let title: String
    let firstDate: String
    let lastDate: String
    let writtenAtMs: Int64
    let editedAtMs: Int64?
    let takenOver: Int64
    /// The original of a copy.
    let takenFromPlanId: String?
    /// Only its author sees it.
    let hidden: Bool
    let stops: [Stop]
  }

  struct Stop: Encodable {
    let stopId: String
    let date: String
    let title: String
    let text: String
    let place: Place?
  }

  struct TakenPlan: Encodable {
    let planId: String
    let takenOverAtMs: Int64
  }

  struct Profile: Encodable {
    struct Collectible: Encodable {
      let kind: String
      let awardedAtMs: Int64
    }

    let introduction: String
    let mediaId: String?
    let experience: Int64
    let grade: String
    let collectibles: [Collectible]
  }

  struct Picture: Encodable {
    let mediaId: String
    let type: String
    let width: Int
    let height: Int
    let uploadedAtMs: Int64
    /// The file in the folder of pictures; absent where none was asked for, or where its bytes are missing.
    let file: String?
  }

  let playerId: String
  let nickname: String
  let email: String?
  /// Since when there is an account; absent for a guest.
  let registeredAtMs: Int64?
  /// Since when the player is known; absent where that was not kept yet.
  let madeAtMs: Int64?
  let hasDevice: Bool
  let sessions: [Session]
  let browsers: [Browser]
  let sanctions: [Sanction]
  let operatorActions: [OperatorAction]
  let blockedPlayerIds: [String]
  let badges: [Badge]
  let results: [Result]
  let landRuns: [LandRun]
  let landProposals: [Proposal]
  let sharedGames: [SharedGame]
  /// The games whose links show the player's way.
  let shownGameIds: [String]
  let rooms: [Room]
  let taps: [SchoolTaps]
  let capsules: [Capsule]
  let sharedCapsuleIds: [String]
  let openedCapsules: [Opening]
  /// All that there have been, also of capsules that are deleted.
  let openings: Int64
  let posts: [OwnPost]
  let comments: [OwnComment]
  let likedPosts: [Like]
  /// The views of about the last day; older ones are counted, and nobody knows whose they were.
  let viewedPosts: [View]
  let plans: [OwnPlan]
  let takenOverPlans: [TakenPlan]
  let pictures: [Picture]
  let reports: [OwnReport]
  /// The state of what others have reported, or operators have decided on.
  let moderated: [Moderated]
  let warnings: [Warning]
  /// Events that wait for an operator's backend, each as JSON; without the names of others.
  let webhookEvents: [String]
  let profile: Profile

  init(
    _ player: PlayerID,
    _ traces: PlayerTraces,
    _ tracks: [GameID: [GameTracks.Point]],
    _ contest: Contest,
    pictureFiles: [MediaID: String]
  ) {
    playerId = player.description
    nickname = traces.nickname
    email = traces.email
    registeredAtMs = traces.registeredAt?.milliseconds
    madeAtMs = traces.madeAt?.milliseconds
    hasDevice = traces.hasDevice
    sessions = traces.sessions.map {
      Session(expiresAtMs: $0.expiresAt.milliseconds, endedAtMs: $0.endedAt?.milliseconds)
    }
    browsers = traces.browsers.map { Browser(seenAtMs: $0.seenAt.milliseconds) }
    sanctions = traces.sanctions.map {
      Sanction(
        kind: $0.kind.rawValue,
        sinceMs: $0.since.milliseconds,
        untilMs: $0.until?.milliseconds,
        reason: $0.reason,
        newGuestsUntilMs: $0.addressBan?.until.milliseconds
      )
    }
    operatorActions = traces.audit.map {
      OperatorAction(
        atMs: $0.at.milliseconds,
        action: $0.action,
        roomId: $0.room?.description,
        detail: $0.detail,
        reason: $0.entry.reason
      )
    }
    blockedPlayerIds = traces.blocked.map(\.description)
    badges = traces.badges.map { Badge(badge: $0.badge, awardedAtMs: $0.awardedAt.milliseconds) }
    results = traces.results.map { Result($0, tracks[$0.game]) }
    landRuns = traces.landRuns.map {
      LandRun(landId: $0.land.description, capturedAtMs: $0.capturedAt.milliseconds, timeMs: $0.timeMs)
    }
    landProposals = traces.landProposals.map(Proposal.init)
    sharedGames = traces.trackLinks.map { SharedGame(gameId: $0.game.description, madeAtMs: $0.madeAt.milliseconds) }
    shownGameIds = traces.shownGames.map(\.description)
    rooms = traces.rooms.map { Room(roomId: $0.room.description, texts: $0.texts) }
    taps = contest.tally.counts(of: player).map {
      SchoolTaps(school: $0.school.description, season: $0.season, count: $0.count, voided: $0.voided)
    }
    capsules = traces.capsules.map(Capsule.init)
    sharedCapsuleIds = traces.sharedCapsules.map(\.description)
    openedCapsules = traces.openings.map {
      Opening(capsuleId: $0.capsule.description, openedAtMs: $0.openedAt.milliseconds)
    }
    openings = traces.openingsCount
    let hidden = Set(traces.hidden)
    posts = traces.posts.map { OwnPost($0, isHidden: hidden.contains(.post($0.id))) }
    comments = traces.comments.map { OwnComment($0, isHidden: hidden.contains(.comment($0.id))) }
    likedPosts = traces.likes.map { Like(postId: $0.post.description, likedAtMs: $0.likedAt.milliseconds) }
    viewedPosts = traces.views.map { View(postId: $0.post.description, viewedAtMs: $0.viewedAt.milliseconds) }
    plans = traces.plans.map { OwnPlan($0, isHidden: hidden.contains(.plan($0.plan.id))) }
    takenOverPlans = traces.takenPlans.map {
      TakenPlan(planId: $0.plan.description, takenOverAtMs: $0.takenOverAt.milliseconds)
    }
    pictures = traces.media.map {
      Picture(
        mediaId: $0.id.description,
        type: $0.type.name,
        width: $0.width,
        height: $0.height,
        uploadedAtMs: $0.uploadedAt.milliseconds,
        file: pictureFiles[$0.id]
      )
    }
    reports = traces.reports.map(OwnReport.init)
    moderated = traces.moderated.map(Moderated.init)
    warnings = traces.warnings.map(Warning.init)
    webhookEvents = traces.webhookEvents
    profile = Profile(traces.profile)
  }
}

extension ExportedPlayer.Result {
  init(_ result: ResultRow, _ track: [GameTracks.Point]?) {
    gameId = result.game.description
    mode = result.mode.name
    landId = result.land?.description
    endedAtMs = result.endedAt.milliseconds
    nickname = result.nickname
    points = result.points
    distanceMm = result.distanceMm
    timeMs = result.timeMs
    rank = result.givenRank
    won = result.won
    completed = result.completed
    counts = result.counts
    calories = result.calories
    latePercent = result.latePercent
    withheldPercent = result.withheldPercent
    self.track = track?.map(ExportedGame.Point.init)
  }
}

extension ExportedPlayer.Proposal {
  init(_ proposal: LandProposal) {
    proposalId = proposal.id.description
    gameId = proposal.game.description
    name = proposal.name
    proposedAtMs = proposal.proposedAt.milliseconds
    ring = proposal.ring.map(ExportedPlayer.Place.init)
    switch proposal.state {
    case .waiting: (state, reason) = ("WAITING", nil)
    case .accepted: (state, reason) = ("ACCEPTED", nil)
    case .declined(let said, _): (state, reason) = ("DECLINED", said)
    }
  }
}

extension ExportedPlayer.Capsule {
  init(_ own: PlayerTraces.OwnCapsule) {
    let capsule = own.capsule
    capsuleId = capsule.id.description
    title = capsule.title
    text = capsule.text
    pictures = capsule.pictures.map(\.description)
    memoryDate = String(Instant(milliseconds: capsule.memoryDay * 86_400_000).utc.prefix { $0 != "T" })
    place = ExportedPlayer.Place(capsule.place)
    buriedAtMs = capsule.buriedAt.milliseconds
    editedAtMs = capsule.editedAt?.milliseconds
    everyone = capsule.isForEveryone
    hidden = capsule.isHidden
    opens = capsule.openCount
    sharedWith = own.sharedWith.map(\.description)
  }
}
