// One player's watch over fences: it is fed with the accepted fixes, and tells what they mean. A value of the player's
// presence: 1 KB where it is full, and up to 1.5 KB of the fences that the player is in. It looks at a fence only when
// the player may have come to one of its lines, and so has the outcome of a look at every fence.
//
// A fix is a look if the player's circle of accuracy has changed by 5 m since the newest one, the centre's step and the
// radius' change together; while a fence waits for a second fix; and after a watched fence has opened. Fixes come in
// the order of their own times.
// Decisions: 109 (docs/decisions).

/// The fences around one player, and those that the player is in.
package struct FenceWatch: Hashable, Sendable {
  /// A fence near the player, in four bytes: there are 256 of them.
  private struct Watched: Hashable, Sendable {
    private let number: UInt16
    /// In whole metres, so the look may be a metre early; or a mark.
    private var dueM: UInt16

    /// The player is in the fence, or it is not open.
    static let never = Int32.max
    /// The newest fix said inside.
    static let waiting: Int32 = -1

    /// An area with a longer way is renewed.
    static let wayMaxMm: Int64 = 60_000_000
    private static let neverM = UInt16.max
    private static let waitingM = UInt16.max - 1
    private static let dueMaxM = UInt16.max - 2

    init(index: Int32, dueMm: Int32) {
      number = UInt16(index)
      dueM = 0
      self.dueMm = dueMm
    }

    /// In the catalogue.
    var index: Int32 { Int32(number) }

    /// The way, as the area counts it, from which on the fence is looked at; or `never`, or `waiting`.
    var dueMm: Int32 {
      get {
        switch dueM {
        case Self.neverM: Self.never
        case Self.waitingM: Self.waiting
        default: 1_000 * Int32(dueM)
        }
      }
      set {
        dueM =
          switch newValue {
          case Self.never: Self.neverM
          case Self.waiting: Self.waitingM
          default: min(UInt16(clamping: newValue / 1_000), Self.dueMaxM)
          }
      }
    }
  }

  /// A fence that the player is in. Its identifier finds it in the next catalogue.
  private struct Stay: Hashable, Sendable {
    private let idHigh: UInt64
    private let idLow: UInt64
    var stay: FenceStay
    var index: Int32
    var dueMm: Int32

    init(_ stay: FenceStay, in id: FenceID, index: Int32, dueMm: Int32) {
      // Halves, since a number of 128 bits would fill up each element to 48 bytes.
      idHigh = UInt64(truncatingIfNeeded: id.value >> 64)
      idLow = UInt64(truncatingIfNeeded: id.value)
      self.stay = stay
      self.index = index
      self.dueMm = dueMm
    }

    var id: FenceID { FenceID(UInt128(idHigh) << 64 | UInt128(idLow)) }
  }

  private var generation: UInt64?
  private var area: WatchArea?
  private var watched: ContiguousArray<Watched> = []
  private var stays: ContiguousArray<Stay> = [] {
    didSet { stayDueAt = nil }
  }
  /// No later than the first time at which a stay changes by time alone: someone has dwelled, or the fence closes. Nil
  /// where it is to be found anew.
  private var stayDueAt: Instant?
  /// The newest fix.
  private var newest: PositionSample?
  /// The accuracy of the newest look, metres.
  private var lookedAccuracyM: UInt32 = 0
  /// The earliest way at which a fence is looked at.
  private var dueMm: Int32 = 0
  /// Whether a fence waits for a second fix.
  package private(set) var isWaiting = false
  /// The latest time of which the watch has heard.
  private var clock = Instant(milliseconds: .min)
  /// The next time at which a watched fence opens.
  private var opensAt: Instant?

  package init() {}

  /// The fences that the player is in, in the order of entering.
  package var inside: [FenceID] { stays.map(\.id) }

  /// Takes an accepted fix: on the map, with at most 50 m of accuracy, of a later time than the one before. `catalogue`
  /// may be another one than before: a removed fence is dropped without an event.
  package mutating func take(
    _ place: Coordinate,
    accuracyM: UInt32,
    at time: Instant,
    in catalogue: FenceCatalogue
  ) -> [FenceEvent] {
    var events = pass(at: time, in: catalogue)
    let sample = PositionSample(coordinate: place, accuracyM: accuracyM, time: time)
    newest = sample
    if isLook(sample) { look(sample, in: catalogue, into: &events) }
    if !stays.isEmpty { tellDwelling(at: sample, in: catalogue, into: &events) }
    return events
  }

  /// Notes that it is this time: tells who has dwelled, and leaves fences that have closed. Nobody is told to dwell who
  /// has not been heard of for 120 s; their next fix tells. Fixes of earlier times may still follow.
  package mutating func pass(at now: Instant, in catalogue: FenceCatalogue) -> [FenceEvent] {
    if generation != catalogue.generation { adopt(catalogue) }
    clock = max(clock, now)
    guard !stays.isEmpty, let newest else { return [] }
    if let stayDueAt, stayDueAt > clock { return [] }
    defer { stayDueAt = nextDue(in: catalogue) }
    var events: [FenceEvent] = []
    var hasClosed = false
    for number in stays.indices {
      let entry = stays[number]
      // Field by field: a copy of the fence would count its references.
      let (dwellS, closesAt) = (catalogue.fences[Int(entry.index)].dwellS, catalogue.fences[Int(entry.index)].closesAt)
      let end = min(clock, newest.time + .milliseconds(FenceRules.silentMaxMs), closesAt ?? clock)
      if entry.stay.state == .inside, let due = entry.stay.dwellDue(afterS: dwellS), due <= end {
        stays[number].stay.isDwellTold = true
        events.append(FenceEvent(.dwelled, entry.id, at: due))
      }
      guard let closesAt, closesAt <= clock else { continue }
      hasClosed = true
      events.append(FenceEvent(.left, entry.id, at: max(closesAt, entry.stay.enteredAt)))
    }
    if hasClosed { stays.removeAll { [clock] in catalogue.fences[Int($0.index)].hasClosed(at: clock) } }
    if events.count > 1 { events.sort { ($0.at, $1.kind.rawValue, $0.fence) < ($1.at, $0.kind.rawValue, $1.fence) } }
    return events
  }
}

// The next check.
extension FenceWatch {
  /// How far the player can go from the newest fix until the next look can matter, in mm; 0 before the first fix.
  package var quietMm: Int64 {
    guard !isWaiting, let area, let newest else { return 0 }
    return area.quietMm(from: newest.coordinate, untilWayMm: dueMm)
  }

  /// The same in whole metres: at least 5, but 0 while the next fix decides.
  package var nextCheckM: Int64 {
    isWaiting || area == nil ? 0 : WatchArea.nextCheckM(quietMm: quietMm)
  }

  /// The next time at which a fix of a player who stays where they are can matter: someone has dwelled, or a fence
  /// opens or closes. Nil for none.
  package func nextCheck(in catalogue: FenceCatalogue) -> Instant? {
    let due = generation == catalogue.generation ? stayDueAt ?? nextDue(in: catalogue) : nextDue(in: catalogue)
    return due == .never ? opensAt : Self.earlier(opensAt, due)
  }

  /// Drops the fences around the player, which the next look finds again; stays last.
  package mutating func dropSurroundings() {
    generation = nil
    area = nil
    watched = []
    opensAt = nil
    isWaiting = false
  }

  /// The first time at which a stay changes by time alone; `never` without any.
  private func nextDue(in catalogue: FenceCatalogue) -> Instant {
    var earliest: Instant?
    for entry in stays {
      guard let index = index(of: entry, in: catalogue) else { continue }
      // Field by field, as above.
      let (dwellS, closesAt) = (catalogue.fences[index].dwellS, catalogue.fences[index].closesAt)
      earliest = Self.earlier(Self.earlier(earliest, entry.stay.dwellDue(afterS: dwellS)), closesAt)
    }
    return earliest ?? .never
  }

  private func index(of entry: Stay, in catalogue: FenceCatalogue) -> Int? {
    (generation == catalogue.generation ? entry.index : catalogue.index(of: entry.id)).map(Int.init)
  }

  private static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

// Looks.
extension FenceWatch {
  private func isLook(_ sample: PositionSample) -> Bool {
    guard let area, !isWaiting else { return true }
    if let opensAt, opensAt <= clock { return true }
    let changeM = abs(Int64(sample.accuracyM) - Int64(lookedAccuracyM))
    return area.isStep(to: sample.coordinate, shorterByMm: 1_000 * changeM)
  }

  private mutating func look(_ sample: PositionSample, in catalogue: FenceCatalogue, into events: inout [FenceEvent]) {
    lookedAccuracyM = sample.accuracyM
    let isInside = area?.look(from: sample.coordinate) ?? false
    if !isInside || area.map({ $0.travelledMm > Watched.wayMaxMm }) ?? false {
      renew(around: sample.coordinate, in: catalogue)
    } else if let opensAt, opensAt <= clock {
      for number in watched.indices where watched[number].dueMm == Watched.never { watched[number].dueMm = 0 }
      dueMm = 0
      noteOpening(in: catalogue)
      markStays()
    }
    guard let area, isWaiting || area.travelledMm >= Int64(dueMm) else { return }
    let room = FenceRules.staysMax - stays.count
    lookAtStays(sample, area, in: catalogue, into: &events)
    lookAround(sample, area, room: max(0, room), in: catalogue, into: &events)
    isWaiting = stays.contains { $0.stay.isWaiting }
    dueMm = Watched.never
    for entry in stays { dueMm = min(dueMm, entry.dueMm) }
    for entry in watched {
      dueMm = min(dueMm, entry.dueMm)
      if entry.dueMm == Watched.waiting { isWaiting = true }
    }
  }

  /// Looks at the fences that the player is in. One that is left is one nearby again.
  private mutating func lookAtStays(
    _ sample: PositionSample,
    _ area: WatchArea,
    in catalogue: FenceCatalogue,
    into events: inout [FenceEvent]
  ) {
    var hasLeft = false
    for number in stays.indices where area.travelledMm >= Int64(stays[number].dueMm) {
      let fence = catalogue.fences[Int(stays[number].index)]
      let depthMm = fence.shape.depthMm(of: sample.coordinate)
      let hasChanged = stays[number].stay.take(
        depthMm: depthMm,
        halfDepthMm: fence.halfDepthMm,
        accuracyM: sample.accuracyM,
        at: sample.time
      )
      if hasChanged {
        hasLeft = true
        events.append(FenceEvent(.left, fence.id, at: sample.time))
        let index = stays[number].index
        if let place = watched.firstIndex(where: { $0.index == index }) {
          watched[place].dueMm = area.wayMm(toDistance: -depthMm)
        }
      }
      let line = FenceLines(closestWithHalfDepthMm: fence.halfDepthMm)
      stays[number].dueMm = area.wayMm(toDistance: depthMm - line.outsideMm)
    }
    if hasLeft { stays.removeAll { !$0.stay.isInside } }
  }

  private mutating func lookAround(
    _ sample: PositionSample,
    _ area: WatchArea,
    room: Int,
    in catalogue: FenceCatalogue,
    into events: inout [FenceEvent]
  ) {
    var room = room
    for number in watched.indices where area.travelledMm >= Int64(watched[number].dueMm) {
      let index = watched[number].index
      let fence = catalogue.fences[Int(index)]
      guard fence.hasOpened(at: clock), !fence.hasClosed(at: clock) else {
        watched[number].dueMm = Watched.never
        continue
      }
      let depthMm = fence.shape.depthMm(of: sample.coordinate)
      var stay = FenceStay(watched[number].dueMm == Watched.waiting ? .entering : .outside)
      let hasChanged = stay.take(
        depthMm: depthMm,
        halfDepthMm: fence.halfDepthMm,
        accuracyM: sample.accuracyM,
        at: sample.time
      )
      watched[number].dueMm = stay.isWaiting && room > 0 ? Watched.waiting : area.wayMm(toDistance: -depthMm)
      guard hasChanged, room > 0 else { continue }
      room -= 1
      watched[number].dueMm = Watched.never
      stays.append(Stay(stay, in: fence.id, index: index, dueMm: area.wayMm(toDistance: 0)))
      events.append(FenceEvent(.entered, fence.id, at: sample.time))
    }
  }

  /// Tells who dwells by a fix that shows them in the fence, when the time was over without one.
  private mutating func tellDwelling(
    at sample: PositionSample,
    in catalogue: FenceCatalogue,
    into events: inout [FenceEvent]
  ) {
    for number in stays.indices where stays[number].stay.state == .inside {
      let dwellS = catalogue.fences[Int(stays[number].index)].dwellS
      guard let due = stays[number].stay.dwellDue(afterS: dwellS), due <= sample.time else { continue }
      stays[number].stay.isDwellTold = true
      events.append(FenceEvent(.dwelled, stays[number].id, at: sample.time))
    }
  }

  /// Watches the fences around another place. Those that wait for a second fix still do.
  private mutating func renew(around place: Coordinate, in catalogue: FenceCatalogue) {
    let waiting = watched.lazy.filter { $0.dueMm == Watched.waiting }.map(\.index)
    let near = catalogue.nearest(
      to: place,
      withinMm: WatchArea.reachMaxMm,
      most: FenceRules.watchedMax,
      at: clock
    )
    let reachMm = near.isFull ? near.distancesMm.last ?? 0 : WatchArea.reachMaxMm
    let area = WatchArea(around: place, reachMm: reachMm)
    let stillWaiting = Set(waiting)
    var fences: ContiguousArray<Watched> = []
    fences.reserveCapacity(near.indices.count)
    for (index, distanceMm) in zip(near.indices, near.distancesMm) {
      let dueMm = stillWaiting.contains(index) ? Watched.waiting : area.wayMm(toDistance: distanceMm)
      fences.append(Watched(index: index, dueMm: dueMm))
    }
    watched = fences
    for number in stays.indices { stays[number].dueMm = 0 }
    self.area = area
    dueMm = 0
    noteOpening(in: catalogue)
    markStays()
  }

  /// Notes when the next watched fence opens.
  private mutating func noteOpening(in catalogue: FenceCatalogue) {
    opensAt = watched.reduce(nil) { earliest, entry in
      let opensAt = catalogue.fences[Int(entry.index)].opensAt
      return Self.earlier(earliest, opensAt.flatMap { $0 > clock ? $0 : nil })
    }
  }

  /// Marks the watched fences that the player is in.
  private mutating func markStays() {
    for entry in stays {
      guard let number = watched.firstIndex(where: { $0.index == entry.index }) else { continue }
      watched[number].dueMm = Watched.never
    }
  }

  /// Goes on with another catalogue. Stays last; what waits for a second fix to enter waits anew.
  private mutating func adopt(_ catalogue: FenceCatalogue) {
    generation = catalogue.generation
    area = nil
    watched = []
    opensAt = nil
    isWaiting = false
    stays = ContiguousArray(
      stays.compactMap { entry in
        guard let index = catalogue.index(of: entry.id), catalogue.fences[Int(index)].hasOpened(at: clock) else {
          return nil
        }
        var entry = entry
        entry.index = index
        return entry
      }
    )
  }
}

extension Instant {
  fileprivate static let never = Instant(milliseconds: .max)
}
