// Players walk on a small ground with fences, bury capsules and open them. Mostly they keep to where they are. Some
// send mocked fixes, jump to a far place and try to open what lies there, open from afar, change others' capsules, keep
// fixes for a while, come back as another session, or have the account deleted. Players in rooms take part, and walk
// there.
import Glibc
import MadangProtocol
import Net
import SeededRandom

struct Visiting: Workload {
  /// One player's way, in metres from the middle of the ground.
  private struct Way {
    var northM: Double
    var eastM: Double
    var goalNorthM = 0.0
    var goalEastM = 0.0
    var speedMPerS = 3.0
    var at: Timestamp
    /// The time until which the phone has no network.
    var keepsUntil = Timestamp(microseconds: 0)
  }

  private(set) var next: Timestamp
  private let plan: Plan
  private var random: SplitMix64
  private var ways: [Int: Way] = [:]

  init(_ plan: Plan, from start: Timestamp, random: SplitMix64) {
    self.plan = plan
    self.random = random
    next = start
  }

  static func move(to place: GroundPlace, accuracyM: UInt32) -> WireMove {
    var move = WireMove()
    move.latE7 = place.latE7
    move.lngE7 = place.lngE7
    move.accuracyM = accuracyM
    return move
  }

  mutating func act(in world: World, at now: Timestamp) {
    next = random.moment(after: now, aboutMs: 350 / plan.visitors)
    let isVisitor = random.chance(85)
    let ready = world.players.filter { player in
      player.state == .ready && !player.isDeciding && !player.mayBeDeleted
        && (player.number >= plan.players + plan.loners) == isVisitor
    }
    guard !ready.isEmpty else { return }
    let player = random.pick(ready)
    let client = player.placeClient
    if !client.isWatching, !client.player.isAskingToWatch, !client.wantsWatch || random.chance(20) {
      return client.watch(at: now)
    }
    switch random.draw(1...100) {
    case 1...52: if isVisitor { walk(player, at: now) }
    case 53...71: open(player, in: world, at: now)
    case 72...80: bury(player, in: world, at: now)
    case 81...92: change(player, in: world, at: now)
    case 93...94: client.list(at: now)
    case 95:
      if !player.isAskingToWatch { random.chance(50) ? client.unwatch(at: now) : client.watch(at: now) }
    case 96: trespass(player, in: world, at: now)
    case 97...98: if isVisitor { forge(player, in: world, at: now) }
    case 99: ways[player.number]?.keepsUntil = now.advanced(milliseconds: Int64(random.draw(2_000...40_000)))
    default:
      guard isVisitor, let link = player.link else { return }
      if random.chance(70) {
        world.network.cut(link, .closed, at: now)
      } else if player.tapClient.isAtRest {
        player.ask(.deleteAccount(.init()), .deleteAccount, at: now)
      }
    }
  }

  // Walking.

  private func tellsTimes(_ player: Player) -> Bool { player.number % 3 > 0 }

  private mutating func way(of player: Player, at now: Timestamp) -> Way {
    if let way = ways[player.number] { return way }
    return Way(northM: Double(random.draw(-120...120)), eastM: Double(random.draw(-120...120)), at: now)
  }

  private mutating func walk(_ player: Player, at now: Timestamp) {
    let client = player.placeClient
    var way = way(of: player, at: now)
    defer { ways[player.number] = way }
    go(&way, at: now)
    guard client.isWatching, !player.isAskingToWatch else { return }
    let noiseM = Double(random.draw(0...20)) / 10
    let place = GroundPlace(northM: way.northM + noiseM, eastM: way.eastM - noiseM)
    var move = Self.move(to: place, accuracyM: UInt32(random.pick([3, 5, 5, 8, 15, 40])))
    if tellsTimes(player) { move.timeMs = now.milliseconds }
    player.hasSentMoves = true
    if tellsTimes(player), now < way.keepsUntil || !client.kept.isEmpty {
      if client.kept.count < 60, (client.kept.last?.timeMs ?? 0) < move.timeMs { client.kept.append(move) }
      if way.keepsUntil <= now { client.tellKept(at: now) }
      return
    }
    if random.chance(2) { move.mocked = true }
    client.tell(move, at: now)
  }

  /// Goes on towards the goal; there another one is drawn, often to and fro where something begins or ends.
  private mutating func go(_ way: inout Way, at now: Timestamp) {
    let seconds = min(20, Double(now.microseconds(since: way.at)) / 1e6)
    way.at = now
    let (north, east) = (way.goalNorthM - way.northM, way.goalEastM - way.eastM)
    let (leftM, stepM) = (hypot(north, east), seconds * way.speedMPerS)
    guard stepM >= leftM else {
      way.northM += north / leftM * stepM
      way.eastM += east / leftM * stepM
      return
    }
    (way.northM, way.eastM) = (way.goalNorthM, way.goalEastM)
    way.speedMPerS = Double(random.draw(1...9))
    if random.chance(50) {
      way.goalNorthM = max(-200, min(200, way.northM + Double(random.draw(-25...25))))
      way.goalEastM = max(-200, min(200, way.eastM + Double(random.draw(-25...25))))
    } else {
      (way.goalNorthM, way.goalEastM) = (Double(random.draw(-200...200)), Double(random.draw(-200...200)))
    }
  }

  /// Pretends to be at the far place, or to be there with a mocked fix, and tries to open something at once.
  private mutating func forge(_ player: Player, in world: World, at now: Timestamp) {
    let client = player.placeClient
    guard client.isWatching, !player.isAskingToWatch, client.kept.isEmpty else { return }
    let far = world.capsules.records.filter { $0.place.current.contains { Ground.metres(of: $0).north > 1_000 } }
    var move = Self.move(to: GroundPlace(northM: Ground.farM, eastM: 0), accuracyM: 5)
    if tellsTimes(player) { move.timeMs = now.milliseconds }
    let isMocked = random.chance(30)
    if isMocked { move.mocked = true }
    player.hasSentMoves = true
    client.tell(move, isForged: !isMocked, at: now)
    guard let id = far.last?.id else { return }
    client.open(id, at: now)
  }

  // Capsules.

  private mutating func date() -> String { "2026-0\(random.draw(1...8))-1\(random.draw(0...9))" }

  /// A place on the ground, often around the player, or seldom the far one.
  private mutating func place(_ player: Player) -> GroundPlace {
    if random.chance(15) { return GroundPlace(northM: Ground.farM + Double(random.draw(-20...20)), eastM: 0) }
    let way = random.chance(60) ? ways[player.number] : nil
    guard let way else {
      return GroundPlace(northM: Double(random.draw(-180...180)), eastM: Double(random.draw(-180...180)))
    }
    // So that its edge of 100 m is near, or the player is close to it.
    let north = Double(random.pick([-103, -97, -60, -30, 10, 30, 60, 97]))
    return GroundPlace(northM: way.northM + north, eastM: way.eastM + Double(random.draw(-8...8)))
  }

  private mutating func others(_ player: Player, _ world: World) -> [String] {
    let ids = world.players.compactMap(\.playerID).filter { $0 != player.playerID }
    guard !ids.isEmpty, random.chance(50) else { return [] }
    return random.chance(50) ? [random.pick(ids)] : [random.pick(ids), String(repeating: "7", count: 32)]
  }

  private mutating func bury(_ player: Player, in world: World, at now: Timestamp) {
    guard !player.isChangingCapsules else { return }
    let share = CapsuleReferee.Share(
      everyone: random.chance(40),
      with: others(player, world),
      room: random.chance(60) ? player.roomCode : nil
    )
    let place = place(player)
    player.placeClient.bury(at: place, date(), share, at: now)
  }

  private func own(_ player: Player, _ world: World) -> [String] {
    world.capsules.records.filter { $0.owner == player.playerID }.suffix(8).compactMap(\.id)
  }

  private mutating func change(_ player: Player, in world: World, at now: Timestamp) {
    let own = own(player, world)
    guard !player.isChangingCapsules else { return }
    guard !own.isEmpty else { return bury(player, in: world, at: now) }
    let (client, id) = (player.placeClient, random.pick(own))
    switch random.draw(1...10) {
    case 1...4:
      let to = random.chance(30) ? place(player) : nil
      client.edit(
        id,
        isNamed: random.chance(40),
        isWritten: random.chance(70),
        random.chance(30) ? date() : nil,
        to: to,
        at: now
      )
    case 5...8:
      var share = CapsuleReferee.Share(everyone: random.pick([nil, nil, true, false]))
      share.with = others(player, world)
      let named = world.capsules[id]?.named.filter { $0.value.current.contains(true) }.keys.sorted() ?? []
      if !named.isEmpty, random.chance(60) { share.without = [random.pick(named)] }
      share.without.removeAll(where: share.with.contains)
      if random.chance(30) { share.room = player.roomCode }
      client.share(id, share, at: now)
    case 9:
      let named = world.capsules.records.filter { $0.named[player.playerID ?? ""]?.current == [true] }.compactMap(\.id)
      if let id = named.last { client.leave(id, at: now) }
    default: client.delete(id, at: now)
    }
  }

  private mutating func trespass(_ player: Player, in world: World, at now: Timestamp) {
    let others = world.capsules.records.filter { $0.owner != player.playerID }.compactMap(\.id)
    guard !others.isEmpty else { return }
    player.placeClient.trespass(random.pick(others), deletes: random.chance(50), at: now)
  }

  private mutating func open(_ player: Player, in world: World, at now: Timestamp) {
    let client = player.placeClient
    let known = world.capsules.ids
    guard !known.isEmpty else { return }
    let near = client.openable.sorted()
    let id = !near.isEmpty && random.chance(75) ? random.pick(near) : random.pick(known.suffix(20))
    client.open(id, at: now)
  }
}
