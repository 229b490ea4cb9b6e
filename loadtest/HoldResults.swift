// The results of the bots of a `hold`, a `durable` or a `ramp`, added up, and the lines of the report.
//
// A value: each shard of bots fills its own, the command adds them up.
import Histogram

struct HoldResults: Sendable {
  var opened = 0
  /// The bots that said hello and, if that is their part, entered a room.
  var ready = 0
  /// Connections that never became a WebSocket, by the known reason.
  var refusals: [String: Int] = [:]
  /// Connections that were opened, then lost or answered with an error before they were ready.
  var givenUp = 0
  /// Connections closed after they were open, by code; nil for those that broke without one.
  var disconnects: [UInt16?: Int] = [:]
  /// Errors by the server's code.
  var errors: [String: Int] = [:]
  var gamesBegun = 0
  var movesOut = 0
  var ticksIn = 0
  /// Those of rooms that play; a resting room has ticks too, by others' chats.
  var playTicksIn = 0
  var pingsAnswered = 0
  /// The bytes and messages that arrived.
  var bytesIn = 0
  var messagesIn = 0
  /// The messages that arrived by themselves, see `HoldBot.noteArrival`.
  var wakeups = 0
  /// The lateness of ticks; microseconds.
  var tickLateness = Results.emptyHistogram
  var commands = CommandResults()
  var places = PlaceResults()

  var refused: Int { refusals.values.reduce(0, +) }

  var errorCount: Int {
    refused + disconnects.values.reduce(0, +) + errors.values.reduce(0, +)
  }

  /// The number of connections that may still become ready.
  func pending(of connections: Int) -> Int { connections - ready - refused - givenUp }

  mutating func add(_ other: HoldResults) {
    opened += other.opened
    ready += other.ready
    refusals.merge(other.refusals, uniquingKeysWith: +)
    givenUp += other.givenUp
    disconnects.merge(other.disconnects, uniquingKeysWith: +)
    errors.merge(other.errors, uniquingKeysWith: +)
    gamesBegun += other.gamesBegun
    movesOut += other.movesOut
    ticksIn += other.ticksIn
    playTicksIn += other.playTicksIn
    pingsAnswered += other.pingsAnswered
    bytesIn += other.bytesIn
    messagesIn += other.messagesIn
    wakeups += other.wakeups
    tickLateness.add(other.tickLateness)
    commands.add(other.commands)
    places.add(other.places)
  }

  /// Forgets the lateness of ticks, the times to answers, and what was told about places so far.
  mutating func forgetTimes() {
    tickLateness = Results.emptyHistogram
    commands.forgetTimes()
    places = PlaceResults()
  }

  var lines: [String] {
    func list(_ counts: [String: Int]) -> String {
      guard !counts.isEmpty else { return "none" }
      return counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
    let byCode = Dictionary(
      uniqueKeysWithValues: disconnects.map { ($0.key.map(String.init) ?? "without code", $0.value) }
    )
    return [
      "connected           \(opened), \(ready) of them ready",
      "refused             \(list(refusals))",
      "errors              \(list(errors))",
      "disconnects         \(list(byCode))",
      "pings answered      \(pingsAnswered)",
      "positions sent      \(movesOut)",
      "ticks received      \(ticksIn)",
      "tick lateness       \(tickLateness.percentiles)",
    ]
  }
}
