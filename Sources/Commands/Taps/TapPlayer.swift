// The player of `madang taps player` and `void`: by id, or by the tally's own number, the only name left of a deleted
// player.
import ArgumentParser
import Game

struct TapPlayer: ParsableArguments {
  @Argument(help: "The player's id, 32 hexadecimal digits.")
  var player: PlayerID?

  @Option(help: "Instead of the id: the number by which madang taps suspects lists a deleted player.")
  var number: Int?

  func validate() throws {
    guard (player == nil) != (number == nil) else { throw ValidationError("Name a player by id, or by --number.") }
  }
}

extension Contest {
  /// - Throws: `ValidationError` for a player without a school, a deleted id, and an unknown number.
  func player(_ wanted: TapPlayer) throws -> TalliedPlayer {
    if let id = wanted.player {
      guard let player = tally.number(of: id).flatMap(tally.player) else {
        throw ValidationError("there is no player \(id) who has chosen a school.")
      }
      return player
    }
    guard let player = wanted.number.flatMap(tally.player) else {
      throw ValidationError("there is no player with the number \(wanted.number ?? 0).")
    }
    return player
  }
}

extension TalliedPlayer {
  /// The player's name for operators.
  var name: String { id.map { "player \($0)" } ?? "player number \(number)" }
}

extension PlayerID: ExpressibleByArgument {
  package init?(argument: String) {
    self.init(argument)
  }
}
