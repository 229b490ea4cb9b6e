// `madang games`: the games that ended last.
import ArgumentParser
import Store

package struct Games: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "List the games that ended last, newest first."
  )

  package init() {}

  @Option(help: "The number of games.")
  var count = 20

  @OptionGroup var folder: StoreFolder

  package func validate() throws {
    guard count > 0 else { throw ValidationError("count is at least 1.") }
  }

  package func run() async throws {
    let store = try folder.open()
    defer { store.close() }
    for game in try store.games(newest: count) {
      print("\(game.id)  \(game.mode.name)  \(game.endedAt.utc)  \(game.playersCount) players")
    }
  }
}
