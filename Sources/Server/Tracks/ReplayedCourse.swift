// Courses of games out of the store, and the reasons why there is none. Waits for the store, so no shard calls it.
import Game
import Store

/// The reason why a player can't look at a game.
enum TrackFault: Error, Sendable {
  /// No such game is over, or the player has no result in it.
  case gameNotFound
  case notKept(String?)
  case store
}

extension GameCourse {
  /// Reads a game that is over, and replays it; waits for the store.
  init(of game: StoredGame, from store: any Store) throws(TrackFault) {
    do throws(RecordedGame.Fault) {
      self = try RecordedGame(ended: game, from: store).replay { number, journal in
        let course = try GameCourse(number, in: journal)
        return (course, course.result)
      }
    } catch {
      switch error {
      case .notKept: throw .notKept(nil)
      case .tooLong: throw .notKept("the game is too long to be replayed")
      case .otherRules(let version): throw .notKept("it was played by rules \(version), which are no longer here")
      case .damaged(let why): throw .notKept("the game can't be replayed: \(why)")
      case .store: throw .store
      }
    }
  }
}
