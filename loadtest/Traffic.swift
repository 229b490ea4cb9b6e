// `madang-loadtest traffic`: the bytes and wake-ups that a room costs each of its players.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Traffic: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Count the bytes and wake-ups of each player in rooms of several sizes, in both encodings.",
    discussion: """
      Makes one room after the other. Its players stroll in a square and send a position a second, each at moments of \
      their own. Once the game has run for five seconds it counts what arrives at each player: the bytes of the \
      WebSocket, after compression and with frames' headers, the messages, and the wake-ups: messages that arrive over \
      20 ms after the one before. Every connection offers compression. Exits with 1 when a room could not be measured.
      """
  )

  @Option(help: "The URL of the server.")
  var url = "ws://127.0.0.1:8080/v1/play"

  @Option(help: "The sizes of the rooms, each 2 to 200, with commas between.")
  var players = "4,25,100,200"

  @Option(help: "The side of the square in which the players stroll, 20 to 20000 m.")
  var squareM = 2_000

  @Option(help: "The rooms' ticks a second, 1 to 20 (default: the server's own).")
  package var tickHz: Int?

  @Option(help: "The pace that every player asks for, 0 to 20 (default: none).")
  package var maxHz: UInt32?

  @Option(help: "Seconds for which each room is counted, 2 to 3600.")
  package var seconds = 20

  @Option(help: "The seed of ways and moments.")
  var seed: UInt64 = 1

  package init() {}

  private static let warmSeconds = 5
  private static let connectsPerSecond = 200

  package var sizes: [Int] { players.split(separator: ",").compactMap { Int($0) } }

  package func validate() throws {
    guard !sizes.isEmpty, sizes.count == players.split(separator: ",").count,
      sizes.allSatisfy((2...200).contains)
    else { throw ValidationError("--players is numbers from 2 to 200 with commas between.") }
    guard (20...20_000).contains(squareM) else { throw ValidationError("--square-m must be 20 to 20000.") }
    guard tickHz.map((1...20).contains) ?? true else { throw ValidationError("--tick-hz must be 1 to 20.") }
    guard (0...20).contains(maxHz ?? 0) else { throw ValidationError("--max-hz must be 0 to 20.") }
    guard (2...3_600).contains(seconds) else { throw ValidationError("--seconds must be 2 to 3600.") }
  }

  package func run() async throws {
    print("players  encoding  bytes/s  messages/s  wake-ups/s   (for each player)")
    var isWhole = true
    for size in sizes {
      for subprotocol in [Subprotocol.json, .proto] {
        guard let line = try await measure(size, subprotocol) else {
          isWhole = false
          print("missed: a room of \(size) was never ready")
          continue
        }
        print(line)
        fflush(nil)
      }
    }
    if !isWhole { throw ExitCode(1) }
  }

  /// Measures one room; nil when it was never ready.
  private func measure(_ size: Int, _ subprotocol: Subprotocol) async throws -> String? {
    let pace = ConnectPace(connections: size, perSecond: Self.connectsPerSecond)
    let plan = HoldPlan(
      target: try ServerTarget(url: url, trusting: nil, subprotocol: subprotocol, compresses: true),
      runID: .random(in: .min ... .max),
      connections: size,
      inRooms: size,
      players: size,
      stepMicroseconds: nil,
      pace: pace,
      gameSeconds: pace.seconds + HoldPlan.readySecondsMax + Self.warmSeconds + seconds + 10,
      tickHz: tickHz,
      seed: seed,
      traffic: TrafficPlan(squareM: Double(squareM), maxHz: maxHz)
    )
    let group = try HoldGroup(plan)
    group.start()
    let missing = await group.awaitReady()
    let begun = await group.results(within: HoldPlan.readySecondsMax) { $0.gamesBegun > 0 }
    guard missing == 0, begun.gamesBegun > 0 else {
      await group.stop()
      return nil
    }
    try await Task.sleep(for: .seconds(Self.warmSeconds))
    let (before, begin) = (await group.results(), ContinuousClock.now)
    try await Task.sleep(for: .seconds(seconds))
    let (after, end) = (await group.results(), ContinuousClock.now)
    await group.stop()
    let each = Double(size) * ((end - begin) / .seconds(1))
    return Self.line(
      size,
      subprotocol,
      bytes: Double(after.bytesIn - before.bytesIn) / each,
      messages: Double(after.messagesIn - before.messagesIn) / each,
      wakeups: Double(after.wakeups - before.wakeups) / each
    )
  }

  private static func line(
    _ size: Int,
    _ subprotocol: Subprotocol,
    bytes: Double,
    messages: Double,
    wakeups: Double
  ) -> String {
    func column(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return column("\(size)", 7) + column(subprotocol.isText ? "json" : "binary", 10)
      + column(RampSteps.text(bytes, digits: 0), 9) + column(RampSteps.text(messages, digits: 2), 12)
      + column(RampSteps.text(wakeups, digits: 2), 12)
  }
}
