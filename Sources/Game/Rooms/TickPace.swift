// How often a member gets what of their room's ticks: by the pace that they have asked for, and in large rooms by
// distance. A pure value of one member's attendance; rooms know nothing of it, so it is no part of a game.
// Decisions: 105 (docs/decisions).

/// The pace of one member.
///
/// Beats lie on multiples of so many ticks on the room's clock, so that members of the same pace get the same messages.
package struct TickPace: Hashable, Sendable {
  /// The paces that can be asked for; 0 is events only.
  package static let rangeHz = 0...RoomConfiguration.tickHzRange.upperBound
  /// From this many seats on, rows of far players come only at far beats.
  package static let largeCapacity = 50
  /// The longest time between two far beats.
  package static let farInterval = Duration.milliseconds(2_500)

  /// The content of a tick for the member.
  package enum Share: Hashable, Sendable {
    case nothing
    /// Nothing but events.
    case events
    /// The rows of near players, and everything else.
    case near
    case all
  }

  private let tickHz: Int
  /// The ticks from one far beat to the next; nil in a room where distance does not matter.
  private let farTicks: UInt32?
  /// The pace that was asked for; nil for the room's own.
  package private(set) var maxHz: Int?
  /// The newest beats that were taken; nil when the next tick is one.
  private var beat: UInt32?
  private var farBeat: UInt32?

  /// The room's own pace.
  package init(_ configuration: RoomConfiguration) {
    tickHz = configuration.tickHz
    let intervalMs = configuration.tickInterval.wholeMilliseconds
    farTicks = Self.isLarge(configuration) ? UInt32(max(1, Self.farInterval.wholeMilliseconds / intervalMs)) : nil
  }

  /// Whether rows of far players come less often.
  package static func isLarge(_ configuration: RoomConfiguration) -> Bool {
    configuration.capacity >= largeCapacity
  }

  /// Whether nothing but events is wanted.
  package var isEventsOnly: Bool { maxHz == 0 }
  /// Whether a tick may have something that this member does not get.
  package var isReduced: Bool { maxHz.map { $0 < tickHz } ?? false }

  /// Takes another pace, one of `rangeHz`; nil for the room's own. The next tick has everything that the member lacks,
  /// unless they want nothing but events.
  package mutating func change(to maxHz: Int?) {
    self.maxHz = maxHz
    beat = nil
    farBeat = nil
  }

  /// Decides the share of a tick, which then counts as taken.
  /// - Parameters:
  ///   - tick: The tick's number. At the start of a game numbers begin anew.
  ///   - hasEvents: Whether there are events that the member lacks: with them comes everything else.
  ///   - hasPosition: Whether the member has a position in the game. Nobody is near a member without one: they get all
  ///     rows at the pace that they ask for, or else at far beats.
  ///   - isForAll: Whether the tick is better the same for all.
  /// - Returns: The share.
  package mutating func take(tick: UInt32, hasEvents: Bool, hasPosition: Bool, isForAll: Bool) -> Share {
    guard !isEventsOnly else { return hasEvents ? .events : .nothing }
    let now = tick / ticksBetweenBeats
    guard now != beat || hasEvents || !isReduced else { return .nothing }
    beat = now
    guard let farTicks else { return .all }
    // Far beats are own beats too, or they would come later.
    let farNow = tick / max(ticksBetweenBeats, farTicks - farTicks % ticksBetweenBeats)
    guard farNow != farBeat || isForAll || !hasPosition && maxHz != nil else { return .near }
    farBeat = farNow
    return .all
  }

  private var ticksBetweenBeats: UInt32 {
    guard let maxHz, maxHz > 0 else { return 1 }
    return UInt32(max(1, (tickHz + maxHz - 1) / maxHz))
  }
}
