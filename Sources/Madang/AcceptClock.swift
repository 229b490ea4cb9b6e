// `madang accept-clock`: an operator confirms the machine's clock, beside a server or while none runs.
import ArgumentParser
import Commands
import Game
import Gateway
import Server
import Store

struct AcceptClock: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept-clock",
    abstract: "Say that the machine's clock is right, so that things expire again.",
    discussion: """
      A server whose clock is more than seven days ahead of the last commit when it starts, or more than an hour behind \
      it, lets nothing expire: no session, ban or mute ends, and nothing old is forgotten. It goes on as always some \
      seconds after this command, or when it starts the next time. Look at the clock first.
      """
  )

  @OptionGroup var folder: StoreFolder

  func run() async throws {
    let path = try folder.path()
    let store = try SQLiteStore(folder: path, isReadOnly: true)
    let lastAliveAt = try store.lastAliveAt
    store.close()
    let now = Instant.now
    let lead = lastAliveAt.map { max(.zero, $0 - now) } ?? .zero
    try ClockFile(folder: path).write(.accepted(at: now, lead: lead))
    print("the clock is accepted: it is \(now.utc)")
    if let lastAliveAt { print("the last commit was at \(lastAliveAt.utc)") }
  }
}
