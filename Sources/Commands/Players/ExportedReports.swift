// The reports and warnings in the JSON of `madang player export`. Plain values; the names are the wire's.
import Game
import Store

extension ExportedPlayer {
  /// A report that the player has made.
  struct OwnReport: Encodable {
    let kind: String
    let id: String
    let reasons: [String]
    let text: String
    let reportedAtMs: Int64

    init(_ report: PlayerTraces.OwnReport) {
      kind = report.subject.kind.name
      id = PlayerID(report.subject.id).description
      reasons = report.reasons.all.map(\.name)
      text = report.text
      reportedAtMs = report.reportedAt.milliseconds
    }
  }

  /// An operator's warning that the player has not seen.
  struct Warning: Encodable {
    let warningId: String
    /// The thing that it is about, if any.
    let kind: String?
    let id: String?
    let text: String
    let warnedAtMs: Int64

    init(_ warning: PlayerWarning) {
      warningId = warning.id.description
      kind = warning.subject?.kind.name
      id = warning.subject.map { PlayerID($0.id).description }
      text = warning.text
      warnedAtMs = warning.at.milliseconds
    }
  }

  /// The state that reports and operators have given a thing of the player's.
  struct Moderated: Encodable {
    let kind: String
    let id: String
    let state: String
    /// There are reports that no operator has decided on.
    let waiting: Bool
    let reports: Int64
    let reportedAtMs: Int64

    init(_ moderated: PlayerTraces.Moderated) {
      kind = moderated.subject.kind.name
      id = PlayerID(moderated.subject.id).description
      waiting = moderated.isWaiting
      reports = moderated.reportsCount
      reportedAtMs = moderated.reportedAt.milliseconds
      state =
        switch moderated.state {
        case .shown: "SHOWN"
        case .hiddenByReports: "HIDDEN_BY_REPORTS"
        case .hiddenByOperator: "HIDDEN_BY_OPERATOR"
        case .restored: "RESTORED"
        }
    }
  }
}
