// An honest phone's way through one game: a course, a receiver with or without errors, and the expected result.
//
// Values; they follow from the plan's seed.
import Foundation
import MadangProtocol
import ReceiverErrors
import SeededRandom

package enum PhoneWalk {
  /// The time of the first fix, milliseconds: the bot learns the start of a game a moment late.
  static let firstMs: Int64 = 500

  /// The times of a game's fixes, milliseconds.
  package static func timesMs(seconds: Int, rateHz: Int) -> [Int64] {
    Array(stride(from: firstMs, to: Int64(seconds) * 1_000 - firstMs, by: 1_000 / rateHz))
  }

  /// The true places at these times.
  package static func places(_ course: Course, atMs times: [Int64]) -> [Coordinate] {
    var course = course
    return times.map { course.coordinate(at: Double($0) / 1_000) }
  }

  /// Laps around a land, from its first vertex.
  package static func laps(around ring: LandRing, pace: Double, atMs times: [Int64]) -> [Coordinate] {
    let lengths = ring.vertices.indices.map { index in
      ring.vertices[index].metres(to: ring.vertices[(index + 1) % ring.vertices.count])
    }
    return times.map { time in
      var restM = (Double(time) / 1_000 * pace).truncatingRemainder(dividingBy: ring.lengthM)
      var index = 0
      while index < lengths.count - 1, restM > lengths[index] {
        restM -= lengths[index]
        index += 1
      }
      let next = ring.vertices[(index + 1) % ring.vertices.count]
      return ring.plane.coordinate(ring.vertices[index].moved(toward: next, by: restM))
    }
  }

  /// The fixes that a receiver gives at these places; one without errors claims 8 m.
  package static func fixes(
    _ places: [Coordinate],
    atMs times: [Int64],
    receiver: ReceiverClass?,
    seed: UInt64
  ) -> [PhoneFix] {
    guard let receiver else { return zip(times, places).map { PhoneFix(atMs: $0, $1, accuracyM: 8) } }
    var random = SeededRandom.SplitMix64(seed: seed)
    let errors = receiver.errors(atMs: times, using: &random)
    return times.indices.map { index in
      let (place, error) = (places[index], errors[index])
      let plane = Plane(latE7: place.latE7, lngE7: place.lngE7)
      return PhoneFix(
        atMs: times[index],
        plane.coordinate(Spot(x: error.eastM, y: error.northM)),
        accuracyM: UInt32(min(1_000, error.accuracyM.rounded(.up)))
      )
    }
  }

  /// The result of fixes without errors, one a second. Points are unknown where a few millimetres decide.
  package static func expected(_ fixes: [PhoneFix], around ring: LandRing?, speedMaxM: Double) -> ExpectedResult {
    var expected = ExpectedResult()
    expected.runMs = ring.flatMap { runMs(fixes, around: $0, speedMaxM: speedMaxM) }
    // A solo game over one land ends with its capture.
    guard ring == nil else { return expected }
    var prints = ExpectedFootprints()
    var distanceM = 0.0
    for (index, fix) in fixes.enumerated() {
      prints.take(latE7: fix.latE7, lngE7: fix.lngE7, accuracyM: Double(fix.accuracyM))
      let stepM = index == 0 ? 0 : fixes[index - 1].place.metres(to: fix.place)
      if stepM <= 100 { distanceM += stepM }
    }
    expected.points = prints.isUnclear ? nil : prints.points
    // Whole metres, and the rules' flat steps are within 0.1 % of the great circle's.
    expected.distanceM = distanceM * 0.999 - 1...distanceM * 1.001 + 1
    return expected
  }

  /// The time of the run, from its first fix to the one that captures. A hand's breadth may decide which one that is.
  private static func runMs(_ fixes: [PhoneFix], around ring: LandRing, speedMaxM: Double) -> ClosedRange<Int64>? {
    func spot(_ fix: PhoneFix) -> Spot { ring.plane.spot(latE7: fix.latE7, lngE7: fix.lngE7) }
    guard let begin = fixes.firstIndex(where: { ring.metres(to: spot($0)) <= LandRing.nearM }) else { return nil }
    let beganMs = fixes[begin].atMs
    var run = ExpectedRun(around: ring, from: spot(fixes[begin]), at: Double(beganMs) / 1_000)
    var earliestMs: Int64?
    for fix in fixes[(begin + 1)...] {
      run.walk(to: spot(fix), at: Double(fix.atMs) / 1_000)
      let ms = fix.atMs - beganMs
      guard run.perhapsVisited >= ring.needed, Double(ms) / 1_000 >= ring.lengthM / speedMaxM - 0.01 else { continue }
      earliestMs = earliestMs ?? ms
      if let earliestMs, run.surelyVisited >= ring.needed { return earliestMs...ms }
    }
    return nil
  }
}
