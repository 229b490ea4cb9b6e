// `madang top`: a running server's shards and busiest rooms as a table that updates itself.
import ArgumentParser
import ConsoleProtocol
import Dispatch
import Glibc
import Net

package struct Top: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Show a running server's load as a live table.",
    discussion: """
      Asks the operators' listener of a server that runs with --admin-port: the one on the folder --data, or the one at \
      --url. q ends it. With --once, or where the output is no terminal, it prints one table, after two looks.
      """
  )

  package init() {}

  @OptionGroup var folder: StoreFolder

  @Option(help: "The operators' listener, as the server printed it (http://127.0.0.1:9100/?token=…).")
  var url: String?

  @Option(help: "The operators' token, where the address has none.")
  var token: String?

  @Option(help: "Seconds between two looks, 0.2 to 60.")
  var interval = 1.0

  @Option(help: "The number of busiest rooms, 0 to 1000 (default: the terminal's lines).")
  var rooms: Int?

  @Flag(help: "Print one table and end.")
  var once = false

  package func validate() throws {
    guard (0.2...60).contains(interval) else { throw ValidationError("--interval is 0.2 to 60.") }
    guard (0...1_000).contains(rooms ?? 0) else { throw ValidationError("--rooms is 0 to 1000.") }
  }

  package func run() async throws {
    let link =
      if let url { try OperatorLink(url, token: token) } else { try OperatorLink(inFolder: folder.path()) }
    let client = StatsClient(link: link)
    let first = try client.stats(rooms: rooms ?? 20)
    guard !once, Terminal.isOutput else {
      try await Task.sleep(for: .seconds(interval))
      let second = try client.stats(rooms: rooms ?? 20)
      for line in TopTable(second, since: first).lines(width: .max, height: .max) { print(line) }
      return
    }
    let terminal = Terminal()
    let signals = SignalWatch([SIGTERM, SIGHUP], queue: DispatchQueue(label: "madang.top")) { number in
      terminal.restore()
      _exit(128 + number)
    }
    defer {
      terminal.restore()
      withExtendedLifetime(signals) {}
    }
    try watch(client, from: first, on: terminal)
  }

  private func watch(_ client: StatsClient, from first: FeedOverview, on terminal: Terminal) throws {
    var (earlier, latest) = (FeedOverview?.none, first)
    while true {
      let (width, height) = Terminal.size
      // The last column stays free: a full line would begin another.
      terminal.show(TopTable(latest, since: earlier).lines(width: width - 1, height: height))
      guard !terminal.isAskedToEnd(within: interval) else { return }
      earlier = latest
      latest = try client.stats(rooms: rooms ?? min(1_000, height))
    }
  }
}
