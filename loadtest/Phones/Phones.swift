// Plays the games of phones that `madang-loadtest walk` asks for, and judges their results.
import ArgumentParser
import Dispatch
import Foundation
import MadangProtocol
import Net
import ReceiverErrors

extension ReceiverClass: ExpressibleByArgument {}

struct Phones: Sendable {
  private let walk: WalkPlan
  private let deadZones: DeadZones?
  private let receiver: ReceiverClass?
  private let shards: Int
  private let seed: UInt64

  /// The longest wait for a result behind the end of a game: the last gap, and the server's wait for a board.
  private static let waitSeconds = 600 + 60

  init(walk: WalkPlan, _ deadZones: DeadZones?, _ receiver: ReceiverClass?, shards: Int, seed: UInt64) {
    self.walk = walk
    self.deadZones = deadZones
    self.receiver = receiver
    self.shards = shards
    self.seed = seed
  }

  /// Plays all games, and prints the table.
  func play(_ serverPID: Int32?) async throws -> Results {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("phones-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let plan = plan(folder)
    let server = ServerUsage(serverPID.map(ServerProcess.init), rooms: plan.rooms)
    let seconds = walk.seconds + Self.waitSeconds
    var results = try await PhoneGroup(plan, server, shards: shards).play(within: seconds)
    results.judgePhones(rooms: walk.rooms, hasTwins: deadZones != nil, mode: walk.mode)
    print(results.table(server: server))
    return results
  }

  private func plan(_ folder: URL) -> PhonePlan {
    let (walk, deadZones, receiver, seed) = (walk, deadZones, receiver, seed)
    return PhonePlan(
      target: walk.target,
      rooms: deadZones == nil ? walk.rooms : 2 * walk.rooms,
      players: walk.players,
      folder: folder
    ) { room in
      walk.wish(room: room % walk.rooms, givesPlace: true)
    } script: { room, bot, ring in
      let zones = room < walk.rooms ? deadZones : nil
      return Self.script(walk, zones, receiver, seed: seed, room: room % walk.rooms, bot: bot, ring)
    }
  }

  /// The script of an honest phone: with its fixes, its network, and the end of the game.
  static func script(
    _ walk: WalkPlan,
    _ deadZones: DeadZones?,
    _ receiver: ReceiverClass?,
    seed: UInt64,
    room: Int,
    bot: Int,
    _ ring: LandRing?
  ) -> PhoneScript {
    let times = PhoneWalk.timesMs(seconds: walk.seconds, rateHz: 1)
    let course = walk.course(room: room, bot: bot)
    let places = ring.map { PhoneWalk.laps(around: $0, pace: walk.pace, atMs: times) }
    let drawn = walk.seed(room: room, bot: bot)
    let fixes = PhoneWalk.fixes(
      places ?? PhoneWalk.places(course, atMs: times),
      atMs: times,
      receiver: receiver,
      seed: drawn
    )
    var steps = fixes.map { PhoneScript.Step(atMs: $0.atMs, .take($0)) }
    let isShared = walk.players > 1
    if let deadZones { steps += deadZones.acts(seconds: walk.seconds, isShared: isShared, seed: drawn &+ 1) }
    steps.append(PhoneScript.Step(atMs: Int64(walk.seconds) * 1_000, .finish))
    let name = ring == nil ? course.name : "laps"
    var script = PhoneScript(name: deadZones == nil ? name : "\(name), with gaps", steps)
    // Every other phone fills its messages.
    script.batchMax = (room + bot) % 2 == 0 ? 60 : 400
    if receiver == nil { script.expected = PhoneWalk.expected(fixes, around: ring, speedMaxM: walk.speedMaxM) }
    return script
  }
}

/// The phones of all shards: begins their games and waits for the results.
struct PhoneGroup: Sendable {
  private let plan: PhonePlan
  private let group: ShardGroup
  private let services: ServiceShards<PhoneService>

  init(_ plan: PhonePlan, _ server: ServerUsage, shards: Int) throws {
    self.plan = plan
    let runID = UInt64.random(in: .min ... .max)
    group = try ShardGroup(count: shards) { core in PhoneService(core, plan, runID: runID, server) }
    services = ServiceShards(group.shards)
  }

  func play(within seconds: Int) async throws -> Results {
    let deadline = ContinuousClock.now + .seconds(seconds)
    for index in 0..<services.count {
      let rooms = Array(stride(from: index, to: plan.rooms, by: services.count))
      services[index].post { $0.begin(rooms: rooms) }
    }
    var isFinished = false
    while !isFinished, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(100))
      isFinished = await gather { $0.isFinished }.allSatisfy { $0 }
    }
    var sum = Results()
    for part in await gather({ $0.conclude() }) { sum.add(part) }
    await withCheckedContinuation { continuation in group.stop { continuation.resume() } }
    return sum
  }

  private func gather<Value: Sendable>(_ value: @escaping @Sendable (PhoneService) -> Value) async -> [Value] {
    await withCheckedContinuation { continuation in
      services.gather(value) { continuation.resume(returning: $0) }
    }
  }
}
