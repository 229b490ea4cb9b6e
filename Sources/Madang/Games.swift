// `madang games`: the games that ended last.
import ArgumentParser
import Store

struct Games: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the games that ended last, newest first."
  )

  @Option(help: "How many.")
  var count = 20

  @OptionGroup var folder: StoreFolder

  func validate() throws {
    guard count > 0 else { throw ValidationError("count is at least 1.") }
  }

  func run() async throws {
    let store = try await folder.open()
    defer { store.close() }
    for game in try store.games(newest: count) {
      print("\(game.id)  \(game.mode.name)  \(game.endedAt.utc)  \(game.playersCount) players")
    }
  }
}
