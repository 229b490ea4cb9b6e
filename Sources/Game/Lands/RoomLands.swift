// Land mode in a room: its settings, giving up a run, and the public view of lands and runs. Part of `Room`.

extension ModeSettings {
  package static func land(_ settings: LandSettings) -> ModeSettings {
    ModeSettings(.land, settings)
  }
}

extension RoomConfiguration {
  /// The lands of land mode; none in other modes.
  package var lands: [Land] { (modeSettings.own as? LandSettings)?.lands ?? [] }
}

extension RoomGame {
  /// The game of land mode; nil in other modes.
  fileprivate var land: LandGame? { mode as? LandGame }
}

extension Room {
  /// Gives a player's run up.
  mutating func giveUpRun(from place: Place, at now: Instant, into outputs: inout [Effect]) -> Effects.Answer {
    guard case .seat(let seat) = place else { return .refused(.seatNeeded) }
    guard phase == .playing, game.mode.giveUp(seat, at: now, into: &outputs) else { return .refused(.noRun) }
    return .ok
  }

  /// The holder of each of the room's lands in the newest game, and the time of their run; in the order of the
  /// settings.
  package var landHolders: [(seat: Int, time: Duration)?] {
    game.land?.holders.map { $0.map { ($0.seat, .milliseconds($0.timeMs)) } } ?? []
  }

  /// The state of the run of a seat's player; nil without a run.
  package func run(of seat: Int, at now: Instant) -> RunProgress? {
    phase == .playing ? game.land?.run(of: seat, at: now) : nil
  }
}
