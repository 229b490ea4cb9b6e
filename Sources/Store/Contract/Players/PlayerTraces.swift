// Everything that a store keeps on one player, for an answer to the player who asks for it. Plain values, the same for
// every back end. The taps are the tally's (`TapStore`).
import Game

/// The data that a store keeps on a player. Secrets of the player's are left out: the hash of the password, and the
/// digests of sessions and of the device.
package struct PlayerTraces: Hashable, Sendable {
  /// A session that is stored still.
  package struct Session: Hashable, Sendable {
    package var expiresAt: Instant
    /// Nil for the session in force.
    package var endedAt: Instant?
  }

  /// A browser that the player has come with. The number in its cookie is left out.
  package struct Browser: Hashable, Sendable {
    package var seenAt: Instant
  }

  /// A solo run that captured its land.
  package struct LandRun: Hashable, Sendable {
    package var land: LandID
    package var capturedAt: Instant
    package var timeMs: Int64
  }

  /// A capsule of the player's, with the players whom it names.
  package struct OwnCapsule: Hashable, Sendable {
    package var capsule: Capsule
    package var sharedWith: [PlayerID]
  }

  /// The opening of another player's capsule, perhaps deleted since.
  package struct Opening: Hashable, Sendable {
    package var capsule: CapsuleID
    package var openedAt: Instant
  }

  /// A like of another player's post.
  package struct Like: Hashable, Sendable {
    package var post: PostID
    package var likedAt: Instant
  }

  /// A look at a post that is kept still.
  package struct View: Hashable, Sendable {
    package var post: PostID
    package var viewedAt: Instant
  }

  /// A plan of the player's, with its stops.
  package struct OwnPlan: Hashable, Sendable {
    package var plan: Plan
    package var stops: [PlanStop]
  }

  /// The taking over of another player's plan.
  package struct TakenPlan: Hashable, Sendable {
    package var plan: PlanID
    package var takenOverAt: Instant
  }

  /// A report that the player has made.
  package struct OwnReport: Hashable, Sendable {
    package var subject: ReportSubject
    package var reasons: ReportReasons
    package var text: String
    package var reportedAt: Instant
  }

  /// The state that reports and operators have given a thing of the player's.
  package struct Moderated: Hashable, Sendable {
    package var subject: ReportSubject
    package var state: ModerationState
    /// There are reports that no operator has decided on.
    package var isWaiting: Bool
    package var reportsCount: Int64
    /// The newest report, or a decision without one.
    package var reportedAt: Instant
  }

  /// The player's texts in the kept journal of one room.
  package struct RoomTexts: Hashable, Sendable {
    package var room: RoomID
    /// Chats and nicknames, each once.
    package var texts: [String]
  }

  package var nickname: String
  /// Nil for a guest.
  package var email: String?
  /// Since when the player has an account; nil for a guest.
  package var registeredAt: Instant?
  /// Since when the player is known; nil where that was not kept yet.
  package var madeAt: Instant?
  /// Whether the player is known by a device.
  package var hasDevice: Bool
  package var sessions: [Session]
  /// The one that was seen last first.
  package var browsers: [Browser]
  package var sanctions: [Sanction]
  /// The players whom the player has blocked.
  package var blocked: [PlayerID]
  package var badges: [AwardedBadge]
  /// The newest first.
  package var results: [ResultRow]
  package var landRuns: [LandRun]
  package var landProposals: [LandProposal]
  /// The player's links to games, the oldest first.
  package var trackLinks: [TrackLink]
  /// The games whose links show the player's way.
  package var shownGames: [GameID]
  package var rooms: [RoomTexts]
  package var capsules: [OwnCapsule]
  /// Others' capsules that name the player.
  package var sharedCapsules: [CapsuleID]
  package var openings: [Opening]
  /// All openings of others' capsules that there have been, also of those that are deleted.
  package var openingsCount: Int64
  /// Hidden ones too; as are the comments, the oldest first.
  package var posts: [Post]
  package var comments: [PostComment]
  package var likes: [Like]
  package var views: [View]
  /// The oldest first; also those that were taken over.
  package var plans: [OwnPlan]
  package var takenPlans: [TakenPlan]
  /// The player's pictures, the oldest first.
  package var media: [StoredMedia]
  /// The oldest first.
  package var reports: [OwnReport]
  /// Of the player's own posts, comments, plans, capsules and profile, by kind and identifier.
  package var moderated: [Moderated]
  /// Which of the posts, comments and plans only the player sees, by kind and identifier.
  package var hidden: [ReportSubject]
  /// Those that the player has not seen, the oldest first.
  package var warnings: [PlayerWarning]
  /// The actions of operators on the player, the oldest first.
  package var audit: [AuditRow]
  /// The pending events of webhooks that name the player, each once, the oldest first; as JSON, without the names of
  /// others.
  package var webhookEvents: [String]
  /// The player's own profile, with experience and collectibles.
  package var profile: Profile
}

/// A store that can say what it keeps on a player.
package protocol PlayerTracesStore: Sendable {
  /// Everything that is kept on a player, as of one commit; nil for an unknown player, and for one who is deleted.
  /// Reads the journals of all rooms where the player has been. Blocks.
  func traces(of player: PlayerID) throws(StoreFailure) -> PlayerTraces?
}
