// The console's view of reported things. Pure; the store's rows become messages on the operators' shard.
import ConsoleProtocol
import Game
import Gateway
import Store

extension ModeratedRow {
  /// Each may have ten pictures and a hundred reports.
  static let shownMax = 20
  private static let textsShownMax = 10

  private var message: FeedReportPage.Row {
    .with {
      $0.kind = thing.subject.kind.name
      $0.id = PlayerID(thing.subject.id).description
      if thing.subject.kind == .comment, let post = thing.post { $0.post = post.description }
      $0.player = thing.author.description
      $0.nickname = nickname
      if !title.isEmpty { $0.title = title }
      if !text.isEmpty { $0.text = text }
      $0.media = pictures.map(\.description)
      $0.state = state.word
      $0.waiting = isWaiting
      $0.reports = reportsCount
      $0.reportedAtMs = reportedAt.milliseconds
      $0.reasons = reasons
      $0.texts = reports.prefix(Self.textsShownMax).map { report in
        .with {
          $0.atMs = report.at.milliseconds
          $0.reasons = report.reasons.all.map(\.name)
          if !report.text.isEmpty { $0.text = report.text }
        }
      }
    }
  }

  /// The reasons of the newest reports with their numbers, the most frequent first.
  private var reasons: [FeedReportPage.Reason] {
    ReportReason.allCases.map { reason in
      (reason, reports.count { $0.reasons.all.contains(reason) })
    }.filter { $0.1 > 0 }.sorted { ($1.1, $0.0.rawValue) < ($0.1, $1.0.rawValue) }.map { reason, count in
      .with {
        $0.reason = reason.name
        $0.count = Int64(count)
      }
    }
  }

  /// A page, from one row more than its bound, or with the store's failure.
  static func page(_ rows: Result<[ModeratedRow], StoreFailure>) -> FeedReportPage {
    .with {
      switch rows {
      case .success(let rows):
        let page = Page(rows, limit: shownMax)
        $0.rows = page.rows.map(\.message)
        if let last = page.lastOfMore { $0.next = ModerationCursor(of: last).text }
      case .failure(let failure): $0.error = "\(failure)"
      }
    }
  }
}
