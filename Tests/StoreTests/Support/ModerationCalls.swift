// The contract's calls for reports as tests use them; they wait for the answer. And sample reports.
import Game
import Store
import Testing

let dayMs: Int64 = 86_400_000

extension Store {
  func reportedSubjects(by player: UInt128) async throws -> Set<ReportSubject> {
    try await withCheckedContinuation { waiting in
      reportedSubjects(by: PlayerID(player)) { waiting.resume(returning: $0) }
    }.get()
  }

  func moderated(
    _ filter: ModerationFilter = .waiting,
    after cursor: ModerationCursor? = nil,
    limit: Int = 50
  ) async throws -> [ModeratedRow] {
    try await withCheckedContinuation { waiting in
      moderated(filter, after: cursor, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func moderationCounts() async throws -> ModerationCounts {
    try await withCheckedContinuation { waiting in moderationCounts { waiting.resume(returning: $0) } }.get()
  }

  func newestAudit() async throws -> [AuditRow] {
    try await withCheckedContinuation { waiting in
      audit(before: nil, limit: 100) { waiting.resume(returning: $0) }
    }.get()
  }

  /// Makes accounts with these numbers, which are old at a later moment.
  func enroll(_ players: ClosedRange<UInt8>, at milliseconds: Int64 = 0) async throws {
    try await greet(players)
    for player in players {
      let change = register(UInt128(player), "\(player)@example.com", as: "이름 \(player)")
      #expect(try await self.change(at: milliseconds, change) == .ok)
    }
  }

  /// Reports a subject as accounts from as many networks, of which the last one must hide it from everybody.
  func reportAway(_ subject: ReportSubject, by reporters: ClosedRange<UInt8> = 3...5) async throws {
    for reporter in reporters {
      let outcome = try await change(report(subject, by: UInt128(reporter), from: reporter))
      guard case .reported(_, isNew: true, let hides) = outcome, hides == (reporter == reporters.upperBound) else {
        Issue.record("\(outcome)")
        return
      }
    }
  }
}

/// A report from the network with a number.
func report(
  _ subject: ReportSubject,
  by reporter: UInt128,
  from network: UInt8 = 1,
  _ reasons: [ReportReason] = [.spam],
  text: String = "",
  at milliseconds: Int64 = 10 * dayMs
) -> ModerationChange {
  .report(
    Report(
      subject,
      by: PlayerID(reporter),
      reasons: ReportReasons(reasons),
      text: text,
      network: digest(network),
      at: moment(milliseconds)
    )
  )
}

func decide(_ subject: ReportSubject, _ decision: ModerationDecision, at milliseconds: Int64 = 11) -> ModerationChange {
  .decide(
    subject,
    decision,
    AuditEntry(at: moment(milliseconds), address: "127.0.0.1", action: "\(decision)", detail: "까닭")
  )
}

func warning(_ number: UInt128, of player: UInt128, about subject: ReportSubject? = nil) -> PlayerWarning {
  PlayerWarning(
    id: WarningID(number),
    player: PlayerID(player),
    subject: subject,
    text: "조심 \(number)",
    at: moment(Int64(number))
  )
}

func warn(_ warning: PlayerWarning) -> ModerationChange {
  .warn(warning, AuditEntry(at: warning.at, address: "127.0.0.1", action: "warn", player: warning.player))
}

extension ReportSubject {
  static let firstPost = ReportSubject.post(PostID(1))
  static let firstComment = ReportSubject.comment(CommentID(1))
  static let firstCapsule = ReportSubject.capsule(CapsuleID(1))
}
