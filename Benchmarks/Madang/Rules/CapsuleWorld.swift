// Invented capsules for the benchmark of places, and the writer beside its searches.
//
// The world is a value. The writer has a queue of its own.
import Dispatch
import Game
import SeededRandom
import Store
import Synchronization

/// Capsules as cities have them.
struct CapsuleWorld: Sendable {
  static let now = Instant(milliseconds: 1_790_000_000_000)
  private static let farE7 = 1_800_000_000

  let players: Int
  private var random: SplitMix64
  private let cities: [Coordinate]

  init(players: Int, seed: UInt64) {
    self.players = players
    var random = SplitMix64(seed: seed)
    cities = (0..<300).map { _ in
      Coordinate(
        latE7: Int32(random.draw(-450_000_000...600_000_000)),
        lngE7: Int32(random.draw(-Self.farE7...Self.farE7))
      )
    }
    self.random = random
  }

  static func moved(_ place: Coordinate, by eastE7: Int) -> Coordinate {
    let lng = Int(place.lngE7) + eastE7
    let turned = lng > farE7 ? lng - 2 * farE7 : lng < -farE7 ? lng + 2 * farE7 : lng
    return Coordinate(latE7: place.latE7, lngE7: Int32(turned))
  }

  /// A fifth in one city, three fifths in 300 others of all sizes, the rest anywhere.
  mutating func draw() -> Coordinate {
    switch random.draw(1...10) {
    case 1...2: return near(Coordinate(latE7: 375_665_000, lngE7: 1_269_780_000), 2_000_000)
    case 3...8:
      // The tenth city has a tenth of the first one's.
      let rank = 300 / random.draw(1...300) - 1
      return near(cities[min(299, rank + random.draw(0...9))], 1_000_000)
    default:
      return Coordinate(
        latE7: Int32(random.draw(-600_000_000...700_000_000)),
        lngE7: Int32(random.draw(-Self.farE7...Self.farE7))
      )
    }
  }

  /// Denser in the middle.
  private mutating func near(_ center: Coordinate, _ spreadE7: Int) -> Coordinate {
    func offset(_ random: inout SplitMix64) -> Int {
      (0..<4).reduce(0) { sum, _ in sum + random.draw(-spreadE7...spreadE7) } / 4
    }
    return Self.moved(
      Coordinate(latE7: center.latE7 + Int32(offset(&random)), lngE7: center.lngE7),
      by: offset(&random)
    )
  }

  mutating func player() -> PlayerID { PlayerID(UInt128(random.draw(1...players))) }

  func hello(_ index: Int) -> SessionChange {
    let number = UInt32(index + 1)
    let digest = (0..<32).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * ($0 % 4))) }
    let session = NewSession(digest: digest, connection: UInt64(number), expiresAt: Self.now + .seconds(2_592_000))
    return .hello(
      HelloChange(
        device: digest,
        newPlayer: PlayerID(UInt128(number)),
        nickname: "player \(number)",
        session: session,
        at: Self.now
      )
    )
  }

  /// Identifiers as they are drawn: in no order.
  static func id(_ number: UInt128) -> CapsuleID {
    var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number))
    return CapsuleID(UInt128(random.next()) << 64 | UInt128(random.next()))
  }

  func owner(_ number: UInt128) -> PlayerID { PlayerID(1 + number % UInt128(players)) }

  mutating func bury(_ number: UInt128) -> CapsuleChange {
    let capsule = Capsule(
      id: Self.id(number),
      owner: owner(number),
      title: "기억 \(number)",
      text: String(repeating: "오래된 이야기. ", count: random.draw(1...20)),
      pictures: [],
      memoryDay: Int64(random.draw(10_000...20_000)),
      place: draw(),
      buriedAt: Self.now + .milliseconds(Int64(number)),
      isForEveryone: random.chance(90)
    )
    return .bury(capsule, sharedWith: random.chance(10) ? [player()] : [])
  }

  /// A change of one of the first `known` capsules, or a new one.
  mutating func change(known: Int, new: UInt128) -> CapsuleChange {
    let number = UInt128(random.draw(1...known))
    switch random.draw(1...10) {
    case 1: return bury(new)
    case 2:
      let words = (title: "새 기억", text: "글")
      return .edit(
        CapsuleEdit(id: Self.id(number), owner: owner(number), title: words.title, text: words.text, at: Self.now)
      )
    case 3:
      return .edit(CapsuleEdit(id: Self.id(number), owner: owner(number), place: draw(), at: Self.now))
    default:
      // Its place is asked for before, so an opening has two steps.
      return .open(Self.id(number), player(), place: Coordinate(latE7: 0, lngE7: 0), at: Self.now)
    }
  }
}

/// Commits of changes, twenty a second.
final class CapsuleWriter: Sendable {
  private static let commitsPerSecond = 20

  private struct State {
    var world: CapsuleWorld
    var times = CPUTimes()
    var new: UInt128
    var isOver = false
  }

  private let store: SQLiteStore
  private let known: Int
  private let changesAtOnce: Int
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "writer")

  init(_ store: SQLiteStore, _ world: CapsuleWorld, writesPerSecond: Int, known: Int) {
    self.store = store
    self.known = known
    changesAtOnce = writesPerSecond / Self.commitsPerSecond
    state = Mutex(State(world: world, new: UInt128(known) + 1))
  }

  func start() {
    queue.asyncAfter(deadline: .now() + .milliseconds(1_000 / Self.commitsPerSecond)) { [self] in
      let changes: [CapsuleChange]? = state.withLock { state in
        guard !state.isOver else { return nil }
        return (0..<changesAtOnce).map { _ in
          state.new += 1
          return state.world.change(known: known, new: state.new)
        }
      }
      guard let changes else { return }
      locate(changes[...], [])
      start()
    }
  }

  /// Puts the places of capsules that are opened into the changes; then commits them.
  private func locate(_ changes: ArraySlice<CapsuleChange>, _ located: [CapsuleChange]) {
    guard let next = changes.first else { return commit(located) }
    guard case .open(let id, let player, _, let at) = next else {
      return locate(changes.dropFirst(), located + [next])
    }
    store.capsule(id, visibleTo: player) { [self] result in
      let place = (try? result.get())?.place
      queue.async { [self] in
        let opening = place.map { [CapsuleChange.open(id, player, place: $0, at: at)] } ?? []
        locate(changes.dropFirst(), located + opening)
      }
    }
  }

  private func commit(_ changes: [CapsuleChange]) {
    let began = MonotonicClock().now()
    store.commit(Batch(at: CapsuleWorld.now, changes: changes.map(\.change))) { [self] _ in
      let taken = MonotonicClock().now().microseconds(since: began)
      state.withLock { $0.times.record(nanoseconds: taken * 1_000) }
    }
  }

  /// Ends the commits; returns their times.
  func stop() -> CPUTimes {
    state.withLock { state in
      state.isOver = true
      return state.times
    }
  }
}
