// The settings that a room was created with. A value that is valid from the start: every default and range of a room is
// here, and a value out of its range can't be made. It never changes while the room lives.
// Decisions: 038 (docs/decisions).

/// The settings of a room.
package struct RoomConfiguration: Hashable, Sendable {
  package static let capacityRange = 2...200
  package static let capacityDefault = 4
  /// The only capacity of a solo room.
  package static let soloCapacity = 1
  package static let durationRangeS = 10...7_200
  package static let tickHzRange = 1...20
  package static let tickHzDefault = 2
  package static let speedMaxRangeMmPerS = 500...100_000
  package static let speedMaxDefaultMmPerS = 12_500
  package static let lateRangeS = 0...600
  package static let lateDefault = Duration.seconds(120)
  package static let holdRangeS = 10...600
  package static let holdDefault = Duration.seconds(120)
  /// The wait for the late fixes of a solo game's player.
  package static let soloWait = Duration.seconds(600)
  package static let withheldPercentMaxDefault = 5
  package static let fillRange = 0...10
  /// The least number of spectators' places, even in a small room.
  package static let spectatorsMaxAtLeast = 4

  /// The mode, with the settings of that mode alone.
  package let modeSettings: ModeSettings
  /// The number of seats.
  package let capacity: Int
  /// The duration of a game, in whole milliseconds.
  package let duration: Duration
  /// The rate of ticks.
  package let tickHz: Int
  /// Whether only the host may start a game and play again.
  package let hostOnly: Bool
  /// Whether only players with an account come in. The server holds it: a room knows no accounts.
  package let accountsOnly: Bool
  /// Whether the host is asked about each player who wants to come in. The server asks, and feeds those who are let in.
  package let consent: Bool
  /// Whether one plays alone: one seat, a start with one player, no early end.
  package let solo: Bool
  /// Whether late comers may watch; never in a solo room.
  package let spectators: Bool
  /// The greatest speed of an honest player.
  package let speedMaxMmPerS: Int
  /// A fix may reach the server this long after it was taken; in a solo room the whole game and the wait behind it.
  package let late: Duration
  /// The time that a place is held after its connection was lost; in a solo game it is held until the result stands.
  package let hold: Duration
  /// A run is ranked with at most this share of withheld fixes, in per cent.
  package let withheldPercentMax: Int
  /// So many free seats at most are practice opponents' while a game is on; none in a solo room.
  package let fill: Int
  /// The strength of the practice opponents; the default without any.
  package let fillStrength: WalkerStrength

  /// Makes settings, each with its default where nil.
  /// - Parameters:
  ///   - mode: The mode with its settings.
  ///   - capacity: 2 to 200, 4 by default; a solo room has exactly 1.
  ///   - duration: 10 s to 2 h; by default as the mode has it.
  ///   - tickHz: 1 to 20, 2 by default.
  ///   - hostOnly: Whether only the host starts; false by default.
  ///   - accountsOnly: Whether only players with an account come in; false by default.
  ///   - consent: Whether the host is asked about each player; false by default, and in a solo room.
  ///   - solo: Whether one plays alone; false by default.
  ///   - spectators: Whether late comers may watch; true by default.
  ///   - speedMaxMmPerS: 500 to 100,000, 12,500 by default.
  ///   - lateS: 0 to 600, 120 by default; a solo room's follows from its duration.
  ///   - holdS: 10 to 600, 120 by default.
  ///   - withheldPercentMax: 0 to 100, 5 by default.
  ///   - fill: 0 to 10, 0 by default; a solo room has none.
  ///   - fillStrength: Even by default.
  /// - Throws: `SettingOutOfRange` that names the first setting out of its range.
  package init(
    mode: ModeSettings = .footprint,
    capacity: Int? = nil,
    duration: Duration? = nil,
    tickHz: Int? = nil,
    hostOnly: Bool? = nil,
    accountsOnly: Bool? = nil,
    consent: Bool? = nil,
    solo: Bool? = nil,
    spectators: Bool? = nil,
    speedMaxMmPerS: Int? = nil,
    lateS: Int? = nil,
    holdS: Int? = nil,
    withheldPercentMax: Int? = nil,
    fill: Int? = nil,
    fillStrength: WalkerStrength? = nil
  ) throws(SettingOutOfRange) {
    let solo = solo ?? false
    let capacityRange = solo ? Self.soloCapacity...Self.soloCapacity : Self.capacityRange
    let duration = duration ?? mode.durationDefault
    let durationRange = Duration.seconds(Self.durationRangeS.lowerBound)...(.seconds(Self.durationRangeS.upperBound))
    guard durationRange.contains(duration) else {
      throw SettingOutOfRange(field: "durationS", range: Self.durationRangeS)
    }

    modeSettings = mode
    self.capacity = try SettingOutOfRange.check(
      capacity ?? (solo ? Self.soloCapacity : Self.capacityDefault),
      "capacity",
      capacityRange
    )
    self.duration = .milliseconds(duration.wholeMilliseconds)
    self.tickHz = try SettingOutOfRange.check(tickHz ?? Self.tickHzDefault, "tickHz", Self.tickHzRange)
    self.hostOnly = hostOnly ?? false
    self.accountsOnly = accountsOnly ?? false
    self.consent = !solo && (consent ?? false)
    self.solo = solo
    self.spectators = !solo && (spectators ?? true)
    self.speedMaxMmPerS = try SettingOutOfRange.check(
      speedMaxMmPerS ?? Self.speedMaxDefaultMmPerS,
      "speedMaxMmS",
      Self.speedMaxRangeMmPerS
    )
    let late = try lateS.map { seconds throws(SettingOutOfRange) in
      Duration.seconds(try SettingOutOfRange.check(seconds, "lateS", Self.lateRangeS))
    }
    self.late = solo ? self.duration + Self.soloWait : late ?? Self.lateDefault
    hold =
      try holdS.map { seconds throws(SettingOutOfRange) in
        Duration.seconds(try SettingOutOfRange.check(seconds, "holdS", Self.holdRangeS))
      } ?? Self.holdDefault
    self.withheldPercentMax = try SettingOutOfRange.check(
      withheldPercentMax ?? Self.withheldPercentMaxDefault,
      "withheldPercentMax",
      0...100
    )
    self.fill = try SettingOutOfRange.check(fill ?? 0, "fill", solo ? 0...0 : Self.fillRange)
    self.fillStrength = self.fill > 0 ? fillStrength ?? .even : .even
    try mode.check()
  }

  /// The mode.
  package var mode: Mode { modeSettings.mode }

  /// The settings that the mode's game uses.
  var gameTerms: GameTerms {
    GameTerms(
      seats: capacity,
      speedMaxMmPerS: speedMaxMmPerS,
      ranksRuns: ranksRuns,
      withheldPercentMax: withheldPercentMax,
      hasWalkers: fill > 0
    )
  }

  /// The time from tick to tick, in whole milliseconds: 333 ms at 3 Hz.
  package var tickInterval: Duration {
    .milliseconds(1_000 / tickHz)
  }

  /// The greatest number of spectators at once.
  package var spectatorsMax: Int {
    spectators ? max(Self.spectatorsMaxAtLeast, capacity) : 0
  }

  /// Whether its runs are ranked: only solo runs, and only at a greatest speed no higher than the default, since the
  /// ranking is shared by all players.
  package var ranksRuns: Bool { solo && speedMaxMmPerS <= Self.speedMaxDefaultMmPerS }

  /// The number of taken seats that a game needs to start and to go on.
  package var playersMin: Int {
    solo ? 1 : 2
  }
}

// In a journal.
extension RoomConfiguration {
  // In one byte, which before the others was a flag of the first alone. A room without practice opponents is written as
  // it was before there were any, so a kept game of those days is still the same game.
  private static let hostOnlyBit: UInt8 = 1
  private static let accountsOnlyBit: UInt8 = 2
  private static let consentBit: UInt8 = 4
  private static let fillBit: UInt8 = 8
  private static let hostBits: UInt8 = 15

  func write(to record: inout RecordWriter) {
    mode.write(to: &record)
    record.bytes.number(capacity)
    record.bytes.number(duration.wholeMilliseconds)
    record.bytes.number(tickHz)
    record.bytes.byte(
      (hostOnly ? Self.hostOnlyBit : 0) | (accountsOnly ? Self.accountsOnlyBit : 0) | (consent ? Self.consentBit : 0)
        | (fill > 0 ? Self.fillBit : 0)
    )
    record.bytes.flag(solo)
    record.bytes.flag(spectators)
    record.bytes.number(speedMaxMmPerS)
    record.bytes.number(late.components.seconds)
    record.bytes.number(hold.components.seconds)
    record.bytes.number(withheldPercentMax)
    modeSettings.write(to: &record)
    guard fill > 0 else { return }
    record.bytes.number(fill)
    record.bytes.byte(UInt8(fillStrength.rawValue))
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    let mode = try Mode(from: &record)
    let capacity = try record.bytes.number(in: 1...Self.capacityRange.upperBound, "capacity")
    let durationMs = try record.tally("duration")
    let tickHz = try record.bytes.number(in: Self.tickHzRange, "ticks a second")
    let hostParts = try record.bytes.byte()
    try record.require(hostParts <= Self.hostBits, "settings of the host")
    let solo = try record.bytes.flag()
    let spectators = try record.bytes.flag()
    let speedMaxMmPerS = try record.bytes.number(in: Self.speedMaxRangeMmPerS, "greatest speed")
    let lateS: Int = try record.bytes.number(in: 0...Self.durationRangeS.upperBound + 600, "greatest lateness")
    let holdS = try record.bytes.number(in: Self.holdRangeS, "hold")
    let withheldPercentMax = try record.bytes.number(in: 0...100, "greatest share of withheld fixes")
    let modeSettings = try ModeSettings(mode, from: &record)
    var (fill, strength) = (0, WalkerStrength?.none)
    if hostParts & Self.fillBit != 0 {
      fill = try record.bytes.number(in: 1...Self.fillRange.upperBound, "number of practice opponents")
      strength = WalkerStrength(rawValue: Int(try record.bytes.byte()))
      try record.require(strength != nil, "strength of practice opponents")
    }
    do throws(SettingOutOfRange) {
      try self.init(
        mode: modeSettings,
        capacity: capacity,
        duration: .milliseconds(durationMs),
        tickHz: tickHz,
        hostOnly: hostParts & Self.hostOnlyBit != 0,
        accountsOnly: hostParts & Self.accountsOnlyBit != 0,
        consent: hostParts & Self.consentBit != 0,
        solo: solo,
        spectators: spectators,
        speedMaxMmPerS: speedMaxMmPerS,
        lateS: solo ? nil : lateS,
        holdS: holdS,
        withheldPercentMax: withheldPercentMax,
        fill: fill,
        fillStrength: strength
      )
    } catch {
      throw record.fault(.impossible(error.field))
    }
  }
}
