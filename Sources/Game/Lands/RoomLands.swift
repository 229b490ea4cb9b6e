// Land mode in a room: what a fix captures, and what giving up ends. Part of `Room`.

extension Room {
  /// A player's fix counts.
  mutating func run(_ seat: Int, to sighting: Sighting, at now: Instant, into outputs: inout [Effect]) {
    guard let capture = landGame?.walk(seat, to: sighting, at: now, into: &outputs) else { return }
    pointsOrder += 1
    runners[seat].pointsOrder = pointsOrder
    let land = configuration.lands[capture.land].id
    record(.captured(seat: seat, .land(land, time: .milliseconds(capture.timeMs))), at: now)
    if configuration.ranksRuns, let player = runners[seat].id {
      outputs.append(.landRun(LandRunResult(player: player, land: land, time: .milliseconds(capture.timeMs))))
    }
    if landGame?.isOver == true {
      endGame(at: now, into: &outputs)
      nextDeadline = earliestDeadline()
    }
  }

  /// Gives a player's run up.
  mutating func giveUpRun(from place: Place, at now: Instant, into outputs: inout [Effect]) -> Effects.Answer {
    guard case .seat(let seat) = place else { return .refused(.seatNeeded) }
    guard phase == .playing, landGame?.giveUp(seat, at: now, into: &outputs) == true else { return .refused(.noRun) }
    return .ok
  }

  /// Who holds each of the room's lands in the newest game, and how long their run took; in the order of the settings.
  package var landHolders: [(seat: Int, time: Duration)?] {
    landGame?.holders.map { $0.map { ($0.seat, .milliseconds($0.timeMs)) } } ?? []
  }

  /// What the run of a seat's player is doing; nil for who has none.
  package func run(of seat: Int, at now: Instant) -> RunNews? {
    phase == .playing ? landGame?.run(of: seat, at: now) : nil
  }
}
