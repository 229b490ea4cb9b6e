// The things that players can report and operators can hide. Plain values.

/// The kind of a thing that can be reported. The raw value is stored.
package enum ReportKind: Int, CaseIterable, Sendable {
  case post = 1
  case comment = 2
  case plan = 3
  case capsule = 4
  /// A player's introduction and picture; the identifier is the player's.
  case profile = 5

  /// The word of operators' messages and of exports.
  package var name: String {
    switch self {
    case .post: "post"
    case .comment: "comment"
    case .plan: "plan"
    case .capsule: "capsule"
    case .profile: "profile"
    }
  }
}

/// A thing that can be reported.
package struct ReportSubject: Hashable, Sendable {
  package let kind: ReportKind
  package let id: UInt128

  package init(_ kind: ReportKind, _ id: UInt128) {
    self.kind = kind
    self.id = id
  }

  package static func post(_ id: PostID) -> Self { Self(.post, id.value) }
  package static func comment(_ id: CommentID) -> Self { Self(.comment, id.value) }
  package static func plan(_ id: PlanID) -> Self { Self(.plan, id.value) }
  package static func capsule(_ id: CapsuleID) -> Self { Self(.capsule, id.value) }
  package static func profile(_ player: PlayerID) -> Self { Self(.profile, player.value) }
}
