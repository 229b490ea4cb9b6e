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
    let text: String
    let warnedAtMs: Int64

    init(_ warning: PlayerWarning) {
      warningId = warning.id.description
      text = warning.text
      warnedAtMs = warning.at.milliseconds
    }
  }
}
