// The fields of reports: checked one by one, each with its own refusal; and warnings on the wire. Pure.
import Game
import MadangProtocol
import Store

/// The reason why a report is refused.
struct ReportRefusal: Error {
  let code: WireErrorCode
  /// Nil for the code's own text.
  let text: String?

  init(_ code: WireErrorCode, _ text: String? = nil) {
    self.code = code
    self.text = text
  }
}

enum ReportField {
  /// The one thing that a report names.
  static func subject(_ wire: WireReport) throws(ReportRefusal) -> ReportSubject {
    let named = [wire.postID, wire.commentID, wire.planID, wire.capsuleID, wire.playerID].filter { !$0.isEmpty }
    guard named.count == 1 else {
      throw ReportRefusal(.outOfRange, "postId, commentId, planId, capsuleId, playerId: one of them")
    }
    if !wire.postID.isEmpty {
      guard let id = PostID(wire.postID) else { throw ReportRefusal(.postNotFound) }
      return .post(id)
    }
    if !wire.commentID.isEmpty {
      guard let id = CommentID(wire.commentID) else { throw ReportRefusal(.commentNotFound) }
      return .comment(id)
    }
    if !wire.planID.isEmpty {
      guard let id = PlanID(wire.planID) else { throw ReportRefusal(.planNotFound) }
      return .plan(id)
    }
    if !wire.capsuleID.isEmpty {
      guard let id = CapsuleID(wire.capsuleID) else { throw ReportRefusal(.capsuleNotFound) }
      return .capsule(id)
    }
    guard let id = PlayerID(wire.playerID) else {
      throw ReportRefusal(.outOfRange, "playerId: 32 hexadecimal digits")
    }
    return .profile(id)
  }

  static func reasons(_ wire: [WireReport.Reason]) throws(ReportRefusal) -> ReportReasons {
    guard wire.count <= ModerationRules.reasonsMax else { throw ReportRefusal(.tooManyReasons) }
    guard !wire.isEmpty else { throw ReportRefusal(.reasonMissing) }
    var reasons: [ReportReason] = []
    for word in wire {
      guard let reason = ReportReason(word) else {
        throw ReportRefusal(.outOfRange, "reasons: \(words), not \(word.rawValue)")
      }
      guard !reasons.contains(reason) else { throw ReportRefusal(.outOfRange, "reasons: each once") }
      reasons.append(reason)
    }
    return ReportReasons(reasons)
  }

  /// Each reason's word.
  private static var words: String {
    let names = ReportReason.allCases.map(\.name)
    return "\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])"
  }

  static func text(_ text: String) throws(ReportRefusal) -> String {
    do throws(TextFault) { try ModerationRules.check(text: text) } catch {
      let refusal = StoryRefusal(error, in: "text")
      throw ReportRefusal(refusal.code, refusal.text)
    }
    return text
  }
}

extension ReportReason {
  fileprivate init?(_ wire: WireReport.Reason) {
    switch wire {
    case .spam: self = .spam
    case .harassment: self = .harassment
    case .hate: self = .hate
    case .sexual: self = .sexual
    case .violence: self = .violence
    case .falseInformation: self = .falseInformation
    case .privacy: self = .privacy
    case .copyright: self = .copyright
    case .other: self = .other
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension ReportKind {
  /// The error where there is no such thing that the player may see.
  var missing: WireErrorCode {
    switch self {
    case .post: .postNotFound
    case .comment: .commentNotFound
    case .plan: .planNotFound
    case .capsule: .capsuleNotFound
    case .profile: .playerNotFound
    }
  }
}

extension WireWarning {
  init(_ warning: PlayerWarning) {
    self.init()
    warningID = warning.id.description
    text = warning.text
    warnedAtMs = warning.at.milliseconds
    guard let subject = warning.subject else { return }
    switch subject.kind {
    case .post: postID = PostID(subject.id).description
    case .comment: commentID = CommentID(subject.id).description
    case .plan: planID = PlanID(subject.id).description
    case .capsule: capsuleID = CapsuleID(subject.id).description
    case .profile: profile = true
    }
  }
}
