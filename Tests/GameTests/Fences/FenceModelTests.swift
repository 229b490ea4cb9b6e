// Walks among random fences: a watch has the outcome of a look at every fence, and the rule that of a referee in
// floating point, which shares no code with it.
import Foundation
import Game
import SeededRandom
import Testing

@Suite("Fences: models")
struct FenceModelTests {
  /// Fences of all kinds over some kilometres, never more than a watch set holds near each other.
  private func fences(
    _ random: inout SplitMix64,
    on ground: TestGround,
    count: Int,
    open: Bool = false
  ) throws -> [Fence] {
    try (0..<count).map { id in
      let (eastM, northM) = (
        Double.random(in: -3_000...3_000, using: &random), Double.random(in: -3_000...3_000, using: &random)
      )
      let dwellS: Int64? = random.chance(50) ? Int64(random.draw(1...400)) : nil
      if random.chance(40) {
        let radiusM = 15 * pow(40, Double.random(in: 0...1, using: &random))
        let star = TestGround.star(&random, eastM, northM, radiusM: radiusM, corners: random.draw(3...50))
        return try ground.polygon(UInt128(id), star, dwellS: dwellS)
      }
      let opensAt: Int64? = open && random.chance(20) ? Int64(random.draw(0...3_000)) : nil
      return try ground.circle(
        UInt128(id),
        eastM,
        northM,
        radiusM: 5 * pow(random.chance(5) ? 2_000 : 60, Double.random(in: 0...1, using: &random)),
        dwellS: dwellS,
        opensAt: opensAt,
        closesAt: random.chance(20) ? (opensAt ?? 0) + Int64(random.draw(1...2_000)) : nil
      )
    }
  }

  /// A walk with changing speed, direction, accuracy and pauses, some jumps and silences.
  private func walk(
    _ random: inout SplitMix64,
    fixes: Int,
    speedsM: [Double] = [0, 0.5, 1.4, 3, 12, 40],
    _ body: (Double, Double, UInt32, Int) -> Void
  ) {
    var (eastM, northM, angle, speedM) = (0.0, 0.0, 0.0, speedsM[2])
    var accuracyM: UInt32 = 5
    var second = 0
    for _ in 0..<fixes {
      second += random.chance(1) ? random.draw(2...300) : 1
      if random.chance(3) { speedM = random.pick(speedsM) }
      if random.chance(5) { accuracyM = UInt32(random.draw(0...(random.chance(30) ? 50 : 12))) }
      if abs(eastM) > 3_500 || abs(northM) > 3_500 { angle = atan2(-northM, -eastM) }
      angle += Double.random(in: -0.3...0.3, using: &random)
      eastM += speedM * cos(angle) + Double.random(in: -2...2, using: &random)
      northM += speedM * sin(angle) + Double.random(in: -2...2, using: &random)
      if random.draw(1...2_000) == 1 { eastM = -eastM }
      body(eastM, northM, accuracyM, second)
    }
  }

  @Test("A watch tells what a look at every fence tells", arguments: 0..<16)
  func sameAsPlain(number: UInt64) throws {
    let seed = 20_261_220 + number
    var random = SplitMix64(seed: seed)
    let ground = TestGround(
      latE7: [375_665_000, -840_000_000, 0, 835_000_000][Int(number) % 4],
      lngE7: [1_269_780_000, 1_800_000_000, -1_799_990_000][Int(number) % 3]
    )
    // After an opening nearby the next fix is a look, and the plain watch can't say what is near. Where fences open,
    // each fix is a look.
    let open = number.isMultiple(of: 3)
    let fences = try fences(&random, on: ground, count: number.isMultiple(of: 2) ? 250 : 80, open: open)
    let speedsM = open ? [9.0, 12, 15] : [0, 0.5, 1.4, 3, 12, 40]
    let catalogue = FenceCatalogue(fences, generation: 1)
    var plain = PlainFenceWatch(fences)
    var watch = FenceWatch()
    var replayed = FenceWatch()
    var told = 0
    walk(&random, fixes: 3_000, speedsM: speedsM) { eastM, northM, accuracyM, second in
      let place = ground.at(eastM, northM)
      let events = watch.take(place, accuracyM: accuracyM, at: .seconds(second), in: catalogue)
      #expect(Set(events) == plain.take(place, accuracyM: accuracyM, at: .seconds(second)), "seed \(seed) at \(second)")
      #expect(events == replayed.take(place, accuracyM: accuracyM, at: .seconds(second), in: catalogue))
      told += events.count
      #expect(watch.quietMm >= 0)
    }
    #expect(watch == replayed)
    #expect(told > 10, "seed \(seed)")
  }

  @Test("While a player goes no further than the watch says, nothing is told", arguments: 0..<6)
  func quiet(number: UInt64) throws {
    let seed = 20_261_250 + number
    var random = SplitMix64(seed: seed)
    let ground = TestGround()
    let all = try fences(&random, on: ground, count: 200).filter { $0.opensAt == nil && $0.closesAt == nil }
    let fences = try all.map { try Fence(id: $0.id, name: $0.name, shape: $0.shape) }
    let catalogue = FenceCatalogue(fences, generation: 1)
    var watch = FenceWatch()
    var trials = 0
    var ways = SplitMix64(seed: seed + 1_000)
    walk(&random, fixes: 1_000) { eastM, northM, accuracyM, second in
      _ = watch.take(ground.at(eastM, northM), accuracyM: accuracyM, at: .seconds(2 * second), in: catalogue)
      guard !watch.isWaiting, watch.quietMm > 0 else { return }
      let quietM = Double(watch.quietMm) / 1_000
      for _ in 0..<3 {
        let angle = Double.random(in: 0...2 * .pi, using: &ways)
        let place = ground.at(eastM + 0.998 * quietM * cos(angle), northM + 0.998 * quietM * sin(angle))
        var branch = watch
        let events = branch.take(
          place,
          accuracyM: UInt32(ways.draw(0...50)),
          at: .seconds(2 * second + 1),
          in: catalogue
        )
        #expect(events.isEmpty && !branch.isWaiting, "seed \(seed) at \(second)")
        trials += 1
      }
    }
    #expect(trials > 500)
  }

  @Test("The rule is that of a referee in floating point, except near a line", arguments: 0..<20)
  func referee(number: UInt64) throws {
    let seed = 20_261_280 + number
    var random = SplitMix64(seed: seed)
    let ground = TestGround(latE7: number.isMultiple(of: 2) ? 375_665_000 : -600_000_000)
    var judged = (fixes: 0, near: 0, changes: 0)
    for id in 0..<100 {
      let radiusM = 5 * pow(80, Double.random(in: 0...1, using: &random))
      var referee: FenceReferee
      let fence: Fence
      if random.chance(50) {
        fence = try ground.circle(UInt128(id), radiusM: radiusM)
        referee = FenceReferee(halfDepthM: radiusM / 2) { radiusM - hypot($0, $1) }
      } else {
        let star = TestGround.star(&random, 0, 0, radiusM: radiusM + 10, corners: random.draw(4...20))
        guard let polygon = try? ground.polygon(UInt128(id), star) else { continue }
        fence = polygon
        let plane = PlaneReferee(star)
        referee = FenceReferee(halfDepthM: plane.halfDepthM, depthM: plane.depthM)
      }
      var stay = FenceStay()
      var accuracyM: UInt32 = 10
      var isNear = false
      for second in 0..<200 {
        if random.chance(10) { accuracyM = UInt32(random.draw(0...50)) }
        if random.chance(40) { isNear.toggle() }
        let reachM = isNear ? radiusM : radiusM + 20 + 14 * Double(accuracyM)
        let awayM = Double.random(in: 0...1, using: &random).squareRoot() * reachM
        let angle = Double.random(in: 0...2 * .pi, using: &random)
        let (eastM, northM) = (awayM * cos(angle), awayM * sin(angle))
        _ = stay.take(
          depthMm: fence.shape.depthMm(of: ground.at(eastM, northM)),
          halfDepthMm: fence.shape.halfDepthMm,
          accuracyM: accuracyM,
          at: .seconds(second)
        )
        judged.fixes += 1
        let wasInside = referee.isInside
        if referee.take(eastM, northM, accuracyM: Double(accuracyM)) {
          #expect(referee.isInside == stay.isInside && referee.isWaiting == stay.isWaiting, "seed \(seed), fence \(id)")
          judged.changes += wasInside == referee.isInside ? 0 : 1
        } else {
          judged.near += 1
        }
        referee.isInside = stay.isInside
        referee.isWaiting = stay.isWaiting
      }
    }
    #expect(judged.near < judged.fixes / 20 && judged.changes > 200, "seed \(seed): \(judged.near), \(judged.changes)")
  }
}

/// The rule in floating point: two fixes in a row, or one that is twice as clear.
private struct FenceReferee {
  let halfDepthM: Double
  let depthM: (Double, Double) -> Double
  var isInside = false
  var isWaiting = false

  init(halfDepthM: Double, depthM: @escaping (Double, Double) -> Double) {
    self.halfDepthM = halfDepthM
    self.depthM = depthM
  }

  /// Returns false where the fix is too near a line for a verdict.
  mutating func take(_ eastM: Double, _ northM: Double, accuracyM: Double) -> Bool {
    let depth = depthM(eastM, northM)
    let circle = max(3, accuracyM)
    let enter = min(circle, halfDepthM)
    let leave = enter - 6 * circle - min(10, halfDepthM / 4)
    let lines = isInside ? [leave, 2 * leave] : [enter, 2 * circle]
    guard lines.allSatisfy({ abs($0 - depth) > 0.1 + abs(depth) * 0.002 }) else { return false }
    let says = isInside ? depth < lines[0] : depth > lines[0]
    let decides = says && (isWaiting || (isInside ? depth < lines[1] : depth > lines[1]))
    if decides { isInside.toggle() }
    isWaiting = says && !decides
    return true
  }
}
