// The school taps' part of a session: the player's school, and whether they watch the ranking.
//
// Owned by the session's shard. School and watch travel with the connection.
import Game
import Gateway

final class Tapper: SessionPart {
  static let slot = Session.takeSlot()

  struct Cargo: SessionCargo {
    let school: SchoolID?
    let rankingTop: UInt8?

    func unpacked(for session: Session) -> any SessionPart {
      let tapper = Tapper()
      tapper.school = school
      tapper.rankingTop = rankingTop
      return tapper
    }
  }

  /// The player's committed school; nil before the first choice.
  var school: SchoolID?
  /// The number of watched schools of the ranking; nil for a player who does not watch.
  var rankingTop: UInt8?
  /// The session's seat among this shard's watchers of the ranking.
  var rankingSeat: RankingBoard.Seat?
  /// A batch of taps waits for its commit; no other is accepted.
  var awaitsTapped = false

  var cargo: (any SessionCargo)? { Cargo(school: school, rankingTop: rankingTop) }
}

extension Session {
  /// The taps' part; nil for a player without a school who has not watched the ranking.
  var tapper: Tapper? { part(Tapper.self) }
}
