// The words and cursors of the console's view of reports. Pure.
import Game
import Store

extension ModerationState {
  /// The word of operators' messages.
  var word: String {
    switch self {
    case .shown: "shown"
    case .hiddenByReports: "hiddenByReports"
    case .hiddenByOperator: "hiddenByOperator"
    case .restored: "restored"
    }
  }
}

extension ModerationCursor {
  var text: String { "\(reportedAt.milliseconds).\(subject.kind.rawValue).\(PlayerID(subject.id))" }

  /// Reads what `text` writes; nil for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let ms = Int64(parts[0]), let kind = Int(parts[1]).flatMap(ReportKind.init(rawValue:)),
      let id = PlayerID(parts[2])
    else { return nil }
    self.init(reportedAt: Instant(milliseconds: ms), subject: ReportSubject(kind, id.value))
  }
}
