// The stored rows of reports, of what was reported, and of warnings. Plain values, the same for every back end.
// Decisions: 122 (docs/decisions).
import Game

/// A player's report of a thing.
package struct Report: Hashable, Sendable {
  package var subject: ReportSubject
  package var reporter: PlayerID
  /// 1 to 3.
  package var reasons: ReportReasons
  /// May be empty.
  package var text: String
  /// The keyed digest of the network that the report came from: equal for two reports of one subject exactly when their
  /// networks are.
  package var network: [UInt8]
  package var at: Instant

  package init(
    _ subject: ReportSubject,
    by reporter: PlayerID,
    reasons: ReportReasons,
    text: String,
    network: [UInt8],
    at: Instant
  ) {
    precondition(network.count == Self.networkByteCount, "the digest of a network has 32 bytes")
    self.subject = subject
    self.reporter = reporter
    self.reasons = reasons
    self.text = text
    self.network = network
    self.at = at
  }

  package static let networkByteCount = 32
  /// The most reports that are kept of one player.
  package static let reportsOfOneMax = 1_000
}

/// The state of a thing that was reported or decided on. The raw value is stored.
package enum ModerationState: Int, CaseIterable, Sendable {
  /// Reports have not hidden it.
  case shown = 0
  case hiddenByReports = 1
  case hiddenByOperator = 2
  /// An operator has found it in order: reports hide it no more, and few of them bring it back into the queue.
  case restored = 3

  package var isHidden: Bool { self == .hiddenByReports || self == .hiddenByOperator }
}

/// A thing as the outcome of a change names it.
package struct ModeratedSubject: Hashable, Sendable {
  package var subject: ReportSubject
  package var author: PlayerID
  /// The post itself, or that of a comment.
  package var post: PostID?

  package init(_ subject: ReportSubject, author: PlayerID, post: PostID? = nil) {
    self.subject = subject
    self.author = author
    self.post = post
  }
}

/// A report as operators see it.
package struct ReportText: Hashable, Sendable {
  package var reasons: ReportReasons
  package var text: String
  package var at: Instant

  package init(reasons: ReportReasons, text: String, at: Instant) {
    self.reasons = reasons
    self.text = text
    self.at = at
  }
}

/// A reported thing as operators see it.
package struct ModeratedRow: Hashable, Sendable {
  package var thing: ModeratedSubject
  /// The author's present nickname; `ErasedText.text` while the author is being deleted.
  package var nickname: String
  /// Of a post or capsule; empty for others.
  package var title: String
  package var text: String
  package var pictures: [MediaID]
  package var state: ModerationState
  /// There are reports that no operator has decided on.
  package var isWaiting: Bool
  /// All reports that there have been, those of deleted players too.
  package var reportsCount: Int64
  /// The moment of the newest report, of a restored thing the newest that brought it into the queue, or of a decision
  /// without one.
  package var reportedAt: Instant
  /// The newest reports, at most `reportsShownMax`, the newest first.
  package var reports: [ReportText]

  package init(
    _ thing: ModeratedSubject,
    nickname: String,
    title: String = "",
    text: String = "",
    pictures: [MediaID] = [],
    state: ModerationState,
    isWaiting: Bool,
    reportsCount: Int64,
    reportedAt: Instant,
    reports: [ReportText]
  ) {
    self.thing = thing
    self.nickname = nickname
    self.title = title
    self.text = text
    self.pictures = pictures
    self.state = state
    self.isWaiting = isWaiting
    self.reportsCount = reportsCount
    self.reportedAt = reportedAt
    self.reports = reports
  }

  package static let reportsShownMax = 100
}

/// A set of reported things.
package enum ModerationFilter: Hashable, Sendable {
  /// Those with reports that no operator has decided on.
  case waiting
  case state(ModerationState)
}

/// A place in a list of reported things, the newest report first.
package struct ModerationCursor: Hashable, Sendable {
  package var reportedAt: Instant
  package var subject: ReportSubject

  package init(reportedAt: Instant, subject: ReportSubject) {
    self.reportedAt = reportedAt
    self.subject = subject
  }

  /// The place of a row; the next page begins behind it.
  package init(of row: ModeratedRow) {
    self.init(reportedAt: row.reportedAt, subject: row.thing.subject)
  }
}

/// The totals of reported things, for metrics.
package struct ModerationCounts: Hashable, Sendable {
  package var waiting: Int64
  package var hidden: Int64

  package init(waiting: Int64 = 0, hidden: Int64 = 0) {
    self.waiting = waiting
    self.hidden = hidden
  }
}

/// An operator's words to a player, until the player has seen them.
package struct PlayerWarning: Hashable, Sendable {
  package var id: WarningID
  package var player: PlayerID
  /// Its subject, which may be gone.
  package var subject: ReportSubject?
  package var text: String
  package var at: Instant

  package init(id: WarningID, player: PlayerID, subject: ReportSubject?, text: String, at: Instant) {
    self.id = id
    self.player = player
    self.subject = subject
    self.text = text
    self.at = at
  }

  /// The most warnings that wait for one player.
  package static let pendingMax = 20
}
