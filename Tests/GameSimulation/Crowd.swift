// The people around a simulated room, as a server sees them: it learns their places from the room's effects alone. They
// walk honestly or forge, chat too much, come back too late. A value, driven by the simulation's random numbers.
import SeededRandom
import Game

/// The people of a simulation.
struct Crowd {
  private enum Whereabouts: Equatable {
    case outside
    case connected(Place)
    case lost(Place)
  }

  private struct Person {
    let id: PlayerID
    let nickname: String
    var whereabouts = Whereabouts.outside
    var latE7: Int
    var lngE7: Int
    /// Their way in a millisecond, in 1e-10 degree.
    var northing: Int
    var easting: Int
    /// Their walk in an arena.
    var route: Route?
    var isForger = true
    var walkedAt: Instant?
    /// The fixes that their phone has kept.
    var kept: [Fix] = []
  }

  /// A phone of the simulation forgets more fixes than this.
  private static let keptMax = 40

  private var people: [Person]
  private var scale: ArenaScale?

  init(count: Int, random: inout SplitMix64) {
    let corner = random.pick([(375_000_000, 1_267_000_000), (849_990_000, 1_799_990_000), (-10_000, -1_799_999_999)])
    people = (0..<count).map { number in
      Person(
        id: PlayerID(UInt128(random.next()) << 64 | UInt128(number)),
        nickname: random.pick(["지민", "가람", "a b", "👩‍👩‍👧", "a b 2"]),
        latE7: corner.0 + random.draw(0...1_000),
        lngE7: corner.1 + random.draw(0...1_000),
        northing: random.draw(-600...600),
        easting: random.draw(-600...600)
      )
    }
  }

  /// People who walk about an arena, most of them honestly.
  init(count: Int, in scale: ArenaScale, speedMaxMmPerS: Int, random: inout SplitMix64) {
    self.init(count: count, random: &random)
    self.scale = scale
    for index in people.indices {
      let percent = random.chance(8) ? 150 : random.draw(50...95)
      people[index].isForger = random.chance(20)
      people[index].route = Route(
        sideMm: scale.sideMm,
        speedMmPerS: speedMaxMmPerS * percent / 100,
        random: &random
      )
    }
  }

  /// The identifier of anybody, in the room or not.
  func anybody(_ random: inout SplitMix64) -> PlayerID {
    random.pick(people.map(\.id))
  }

  var connectedPlaces: [Place] {
    people.compactMap { person in
      if case .connected(let place) = person.whereabouts { place } else { nil }
    }
  }

  /// The next input of someone.
  mutating func input(for room: Room, at now: Instant, random: inout SplitMix64) -> Input {
    let index = random.draw(0...people.count - 1)
    let person = people[index]
    switch person.whereabouts {
    case .outside:
      let nickname = random.chance(97) ? person.nickname : " "
      return random.chance(20) ? .watch(person.id, nickname: nickname) : .join(person.id, nickname: nickname)
    case .lost(let place):
      // A phone without a connection keeps its fixes.
      if person.kept.count < Self.keptMax, random.chance(60) {
        var fix = fix(of: index, at: now, random: &random)
        fix.time = fix.time ?? now
        people[index].kept.append(fix)
        return .tick(through: .max)
      }
      switch random.draw(1...100) {
      case 1...50: return .comeBack(place)
      case 51...70: return .join(person.id, nickname: "other")
      case 71...75: return .watch(person.id, nickname: "other")
      case 76...82: return .leave(place)
      default: return .tick(through: .max)
      }
    case .connected(let place):
      switch random.draw(1...100) {
      case 1...2: return .leave(place)
      case 3...5: return .lose(place)
      case 6...12: return .chat(place, text: random.pick(["안녕", "ㅋ", "", "\u{7}", "가나다 ", "🏃‍♀️"]))
      case 13...18: return .readChat(place, upTo: UInt32(random.draw(0...Int(room.lastEventNumber) + 1)))
      case 19 where random.chance(30): return .watch(person.id, nickname: person.nickname)
      case 19: return .join(person.id, nickname: person.nickname)
      case 100:
        return random.chance(30) ? .kick(place, anybody(&random)) : .lock(place, random.chance(40))
      case 20...35 where room.phase == .lobby: return .startGame(place)
      case 20...24 where room.phase == .ended: return .playAgain(place)
      case 36: return random.chance(50) ? .startGame(place) : .playAgain(place)
      case 37...45 where !person.kept.isEmpty || random.chance(5):
        let told = random.draw(0...person.kept.count)
        let batch = FixBatch(
          Array(person.kept.prefix(told)),
          hasMore: told < person.kept.count,
          aliveSince: now - .milliseconds(random.draw(0...60_000))
        )
        // An answer may be lost, and the fixes are told again.
        if random.chance(80) { people[index].kept.removeFirst(told) }
        return .moves(place, batch)
      default: return .move(place, fix(of: index, at: now, random: &random))
      }
    }
  }

  /// Learns the new places.
  mutating func take(_ effects: Effects, of input: Input) {
    // The input may just then move the member who loses their connection from its place.
    var loser: Int?
    if case .lose(let place) = input {
      loser = people.firstIndex { $0.whereabouts == .connected(place) }
    }
    for output in effects.outputs {
      switch output {
      case .placed(let id, let place): set(id, .connected(place))
      case .removed(let id, _): set(id, .outside)
      case .verdict, .path, .run, .landRun, .gameEnded, .closed: break
      }
    }
    switch (input, effects.answer) {
    case (.join(let id, _), .joined(let place)), (.watch(let id, _), .joined(let place)): set(id, .connected(place))
    case (.lose, .ok):
      if let loser, case .connected(let place) = people[loser].whereabouts {
        people[loser].whereabouts = .lost(place)
      }
    case (.comeBack(let place), .ok): replace(.lost(place), by: .connected(place))
    case (.restart, .ok):
      for place in connectedPlaces {
        replace(.connected(place), by: .lost(place))
      }
    default: break
    }
  }

  /// Checks that the room and the server's knowledge agree.
  func check(_ room: Room) throws(Violation) {
    var present = 0
    for person in people {
      switch person.whereabouts {
      case .outside:
        try Violation.unless(room.place(of: person.id) == nil, "\(person.id) is in the room unknown")
      case .connected(let place), .lost(let place):
        let member = room.member(at: place)
        try Violation.unless(member?.id == person.id, "\(person.id) is not at \(place)")
        try Violation.unless(member?.isHeld == (person.whereabouts == .lost(place)), "\(place) is held wrongly")
        present += 1
      }
    }
    try Violation.unless(room.members.count == present, "someone is in two places")
  }

  private mutating func set(_ id: PlayerID, _ whereabouts: Whereabouts) {
    for index in people.indices where people[index].id == id {
      people[index].whereabouts = whereabouts
    }
  }

  private mutating func replace(_ old: Whereabouts, by new: Whereabouts) {
    for index in people.indices where people[index].whereabouts == old {
      people[index].whereabouts = new
    }
  }

  /// Moves somebody on along their walk.
  private mutating func walk(_ index: Int, at now: Instant, random: inout SplitMix64) {
    let elapsedMs = people[index].walkedAt.map { Int(min((now - $0).wholeMilliseconds, 60_000)) } ?? 0
    people[index].walkedAt = now
    if let scale, var route = people[index].route {
      // A person who sends nothing for long has not gone far: otherwise loops would be only corners.
      route.go(ms: min(elapsedMs, 4_000), past: people.compactMap { $0.route?.spot }, random: &random)
      people[index].route = route
      let coordinate = scale.coordinate(route.spot)
      people[index].latE7 = Int(coordinate.latE7)
      people[index].lngE7 = Int(coordinate.lngE7)
      return
    }
    people[index].latE7 = min(850_000_000, people[index].latE7 + people[index].northing * elapsedMs / 1_000)
    people[index].lngE7 += people[index].easting * elapsedMs / 1_000
    if people[index].lngE7 > 1_800_000_000 { people[index].lngE7 -= 3_600_000_000 }
    if people[index].lngE7 < -1_800_000_000 { people[index].lngE7 += 3_600_000_000 }
    if random.chance(5) {
      people[index].northing = random.draw(-600...600)
      people[index].easting = random.draw(-600...600)
    }
  }

  /// An honest fix in most cases, else one that is forged or broken in one of many ways.
  private mutating func fix(of index: Int, at now: Instant, random: inout SplitMix64) -> Fix {
    walk(index, at: now, random: &random)
    var fix = Fix(
      latE7: Int32(people[index].latE7),
      lngE7: Int32(people[index].lngE7),
      accuracyM: UInt32(random.draw(0...15)),
      time: random.chance(50) ? now : nil
    )
    guard people[index].isForger else { return fix }
    switch random.draw(1...60) {
    case 1: fix.latE7 = Int32(truncatingIfNeeded: random.next())
    case 2: fix.lngE7 = Int32(truncatingIfNeeded: random.next())
    case 3: fix.time = Instant(milliseconds: Int64(truncatingIfNeeded: random.next()))
    case 4: fix.time = now + .milliseconds(random.draw(-40_000...3_000))
    case 5: fix.accuracyM = random.pick([nil, 0, 50, 51, .max])
    case 6: fix.mocked = true
    case 7: fix.latE7 = Int32(clamping: Int(fix.latE7) + random.draw(-100_000...100_000))
    default: break
    }
    return fix
  }
}
