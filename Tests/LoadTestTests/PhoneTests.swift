// The pure parts of phones: what they keep and tell, their networks, and the results that they expect.
import MadangProtocol
import ReceiverErrors
import Testing
import madang_loadtest

@Suite struct PhoneTests {
  private static let place = Coordinate(latitude: 37.5, longitude: 127)

  private static func fixes(_ count: Int) -> [PhoneFix] {
    (0..<count).map { PhoneFix(atMs: Int64($0) * 1_000 + 500, place, accuracyM: 8) }
  }

  @Test("A message has as many fixes as its bytes allow, and says whether there are more", arguments: [false, true])
  func batches(isText: Bool) {
    let subprotocol: Subprotocol = isText ? .json : .proto
    var queue = FixQueue(batchMax: 1_000)
    for fix in Self.fixes(900) { queue.take(fix) }
    let full = queue.batch(startMs: 1_790_000_000_000, subprotocol)
    #expect(full.more && full.afterMs.count > 60)
    #expect((3_000...Limits.messageBytesMax).contains(subprotocol.length(of: full)))
    #expect(full.timeMs == 1_790_000_000_500 && full.afterMs.first == 0 && full.afterMs.last == 1_000)
    #expect(full.latE7.count == full.afterMs.count && full.accuracyM.count == full.afterMs.count)
  }

  @Test("A queue forgets what was judged, and its last message says that nothing is left")
  func forgetting() {
    var queue = FixQueue(batchMax: 60)
    for fix in Self.fixes(100) { queue.take(fix) }
    #expect(queue.batch(startMs: 0, .proto).more)
    queue.forget(throughMs: 60_500)
    #expect(queue.fixes.first?.atMs == 61_500)
    let last = queue.batch(startMs: 0, .proto)
    #expect(!last.more && last.afterMs.count == 39)
    queue.forget(throughMs: .max)
    let none = queue.batch(startMs: 0, .proto)
    #expect(!none.more && none.afterMs.isEmpty && !none.hasTimeMs)
  }

  @Test("Each fault of the network ends, and in a shared game before the end", arguments: 0..<50)
  func networks(seed: UInt64) throws {
    for (zones, seconds) in [(DeadZones.short, 60), (.long, 900)] {
      for isShared in [false, true] {
        let steps = zones.acts(seconds: seconds, isShared: isShared, seed: seed)
        #expect(steps.count >= 2 && steps.count % 2 == 0)
        for (loss, back) in zip(steps, steps.dropFirst()).enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
          guard case .comeBack = back.act else {
            Issue.record("\(loss.act) is followed by \(back.act)")
            continue
          }
          let gapMs = back.atMs - loss.atMs
          #expect((0...600_000).contains(gapMs))
          if isShared { #expect(gapMs < 100_000 && back.atMs <= Int64(seconds) * 1_000 - 5_000) }
        }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.atMs <= $1.atMs })
      }
    }
  }

  @Test("An expected run begins with the first fix, and ends with the one that has visited enough")
  func runs() throws {
    var land = WireRoomLand()
    land.landID = "square"
    // 12 m to a side, a vertex each 6 m.
    for (north, east) in [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)] {
      land.latE7.append(375_000_000 + Int32(north) * 540)
      land.lngE7.append(1_270_000_000 + Int32(east) * 680)
    }
    let ring = try #require(LandRing(land))
    let times = PhoneWalk.timesMs(seconds: 60, rateHz: 1)
    #expect(times.first == 500 && times.last == 58_500)
    let fixes = PhoneWalk.fixes(
      PhoneWalk.laps(around: ring, pace: 1, atMs: times),
      atMs: times,
      receiver: nil,
      seed: 1
    )
    let expected = PhoneWalk.expected(fixes, around: ring, speedMaxM: 12.5)
    // The last vertex is 42 m along the way, and visited from 5 m before it on.
    let runMs = try #require(expected.runMs)
    #expect(runMs.lowerBound == runMs.upperBound && (36_000...38_000).contains(runMs.lowerBound))
  }

  @Test("Points that a few millimetres decide are not expected")
  func unclearPoints() {
    let times = PhoneWalk.timesMs(seconds: 780, rateHz: 1)
    func points(_ number: UInt64) -> UInt32? {
      let course = Course.random(RandomWalk(seed: 8 + number * 0x9E37_79B9))
      let fixes = PhoneWalk.fixes(PhoneWalk.places(course, atMs: times), atMs: times, receiver: nil, seed: 1)
      return PhoneWalk.expected(fixes, around: nil, speedMaxM: 12.5).points
    }
    // The server gave the first of them 242 points, where haversine gives 241.
    #expect(points(11) == nil)
    #expect((0..<20).count { points($0) != nil } >= 10)
  }

  @Test("Equal seeds have equal errors, and a receiver's errors leave the walk where it is", arguments: [1, 2, 3])
  func receivers(seed: UInt64) {
    let times = PhoneWalk.timesMs(seconds: 300, rateHz: 1)
    let places = times.map { _ in Self.place }
    let fixes = PhoneWalk.fixes(places, atMs: times, receiver: .open, seed: seed)
    #expect(fixes == PhoneWalk.fixes(places, atMs: times, receiver: .open, seed: seed))
    #expect(fixes != PhoneWalk.fixes(places, atMs: times, receiver: .open, seed: seed + 1))
    let far = fixes.count { $0.place.metres(to: Self.place) > 50 }
    #expect(far < fixes.count / 10 && fixes.allSatisfy { $0.accuracyM > 0 })
  }
}
