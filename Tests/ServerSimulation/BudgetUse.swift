// The use of rooms' and players' budgets, calculated from the events that the server raised and not from its own
// tables. A value of one run.
import MadangProtocol
import Net

struct BudgetUse {
  /// The used part of a budget that fills up again.
  private struct Level {
    private var used = 0.0
    private var at = Timestamp(microseconds: 0)

    /// Uses one more of so many a minute; returns the current use.
    mutating func use(perMinute: Double, at now: Timestamp) -> Double {
      let filled = Double(now.microseconds(since: at)) / 60_000_000 * perMinute
      used = max(0, used - filled) + 1
      at = now
      return used
    }
  }

  private var starts: [RoomCode: Level] = [:]
  /// The rooms made, and the rooms entered (own ones too), by player.
  private var creations: [String: Level] = [:]
  private var entries: [String: Level] = [:]

  /// A room has raised an event.
  mutating func note(_ event: WireEvent, of code: RoomCode, at now: Timestamp) throws(BrokenRule) {
    switch event.body {
    case .phase(let change) where change.phase == .playing:
      try Self.use(&starts[code, default: Level()], perMinute: 10, at: now, "starts of \(code)")
    // Practice opponents come with the start of a game, whose budget it is.
    case .joined(let player) where !player.walker:
      let name = player.playerID
      if event.number == 1 {
        try Self.use(&creations[name, default: Level()], perMinute: 10, at: now, "rooms made by \(name)")
      }
      try Self.use(&entries[name, default: Level()], perMinute: 30, at: now, "entries of \(name)")
    default:
      break
    }
  }

  /// The server was lost; the next one begins its tables anew.
  mutating func crash() {
    self = BudgetUse()
  }

  /// Allows one more than the bound, for the time between an event and the look at it.
  private static func use(
    _ level: inout Level,
    perMinute: Double,
    at now: Timestamp,
    _ what: String
  ) throws(BrokenRule) {
    let used = level.use(perMinute: perMinute, at: now)
    try BrokenRule.unless(used <= perMinute + 1, .budgetsHold, "\(used) \(what) at once, \(perMinute) a minute may be")
  }
}
