// The console's view of proposals of lands that wait. Pure; the store's rows become messages on the operators' shard.
import ConsoleProtocol
import Game
import MadangProtocol
import Store

extension ProposalRow {
  /// Each has a picture.
  static let shownMax = 50

  private var message: FeedProposalList.Row {
    let outline = proposal.outline(verticesMax: Limits.outlineVerticesMax)
    return .with {
      $0.proposal = proposal.id.description
      $0.player = proposal.player.description
      $0.nickname = nickname
      $0.game = proposal.game.description
      $0.name = proposal.name
      $0.lengthM = proposal.lengthMm / 1_000
      $0.proposedAtMs = proposal.proposedAt.milliseconds
      $0.latE7 = outline.map(\.latE7)
      $0.lngE7 = outline.map(\.lngE7)
    }
  }

  /// The list, from one row more than its bound, or with the store's failure.
  static func list(_ rows: Result<[ProposalRow], StoreFailure>) -> FeedProposalList {
    .with {
      switch rows {
      case .success(let rows):
        $0.rows = rows.prefix(shownMax).map(\.message)
        if rows.count > shownMax { $0.hasMore_p = true }
      case .failure(let failure): $0.error = "\(failure)"
      }
    }
  }
}
