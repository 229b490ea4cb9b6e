// A player's watch over capsules, compared with a look at every capsule.
import Foundation
import Game
import SeededRandom
import Testing

@Suite("Capsules: a watch")
struct CapsuleWatchTests {
  private let ground = TestGround()

  @Test("A capsule is told within 100 m and beyond, by steps of 5 m; the first fix after a change looks at once")
  func oneCapsule() {
    var watch = CapsuleWatch()
    #expect(watch.needsCapsules(at: ground.at(0, 0)))
    #expect(watch.take(ground.at(300, 0)).isEmpty)
    #expect(watch.renew(around: ground.at(300, 0), with: [NearCapsule(number: 7, place: ground.at(0, 0))]).isEmpty)
    #expect(watch.nextCheckM == 0)
    #expect(watch.take(ground.at(300, 0)).isEmpty)
    #expect((190...200).contains(watch.nextCheckM))
    #expect(watch.take(ground.at(101, 0)).openable.isEmpty)
    // No step, so no look.
    #expect(watch.take(ground.at(97, 0)).openable.isEmpty)
    #expect(watch.take(ground.at(95, 0)).openable.map(\.number) == [7])
    #expect(watch.take(ground.at(99, 0)).closed.isEmpty)
    #expect(watch.take(ground.at(101, 0)).closed == [NearCapsule(number: 7, place: ground.at(0, 0))])
    watch.put(NearCapsule(number: 9, place: ground.at(101, 0)))
    #expect(watch.take(ground.at(101, 0)).openable.map(\.number) == [9])
    // It may have been edited: it is told anew.
    watch.put(NearCapsule(number: 9, place: ground.at(101, 0)))
    #expect(watch.take(ground.at(101, 0)).openable.map(\.number) == [9])
    // The same number at another place is another capsule.
    watch.put(NearCapsule(number: 9, place: ground.at(150, 0)))
    #expect(watch.take(ground.at(101, 0)).openable == [NearCapsule(number: 9, place: ground.at(150, 0))])
    watch.put(NearCapsule(number: 9, place: ground.at(5_000, 0)))
    #expect(watch.take(ground.at(101, 0)).isEmpty)
  }

  @Test(
    "A player who is suddenly at the other end of the Earth has left all that could be opened",
    arguments: [
      Coordinate(latE7: 0, lngE7: 1_790_000_000), Coordinate(latE7: -849_999_999, lngE7: -900_000_000),
      Coordinate(latE7: 0, lngE7: -1_790_000_000), Coordinate(latE7: 0, lngE7: 2_000_000),
    ]
  )
  func elsewhere(place: Coordinate) {
    let ground = TestGround(latE7: 0, lngE7: 0)
    let capsule = NearCapsule(number: 1, place: ground.at(0, 0))
    var watch = CapsuleWatch()
    _ = watch.renew(around: ground.at(0, 0), with: [capsule])
    #expect(watch.take(ground.at(0, 0)).openable == [capsule])
    #expect(watch.take(place).closed == [capsule])
    #expect(watch.needsCapsules(at: place) && watch.nextCheckM == 0)
  }

  @Test(
    "Places and numbers are exact wherever they are",
    arguments: [
      (850_000_000, 1_800_000_000), (-850_000_000, -1_800_000_000), (375_665_000, 1_269_780_000), (0, 0),
    ]
  )
  func exact(latE7: Int32, lngE7: Int32) {
    var random = SplitMix64(seed: 20_261_126)
    let centre = Coordinate(latE7: latE7, lngE7: Geodesy.longitudeE7(Int64(lngE7)))
    let (latSpanE7, lngSpanE7) = Geodesy.spanE7(of: 99_000, around: centre)
    let capsules = (0..<200).map { _ in
      NearCapsule(
        number: .random(in: 0...0xFF_FFFF, using: &random),
        place: Coordinate(
          latE7: Int32(
            min(850_000_000, max(-850_000_000, Int64(latE7) + .random(in: -latSpanE7...latSpanE7, using: &random)))
          ),
          lngE7: Geodesy.longitudeE7(Int64(lngE7) + .random(in: -lngSpanE7 / 2...lngSpanE7 / 2, using: &random))
        )
      )
    }
    let near = capsules.filter { Geodesy.isWithin(100_000, centre, $0.place) }
    var watch = CapsuleWatch()
    _ = watch.renew(around: centre, with: capsules)
    #expect(Set(watch.take(centre).openable) == Set(near) && near.count > 100)
    // Around another centre they are the same ones.
    let other = Coordinate(
      latE7: latE7 < 0 ? latE7 + 50_000 : latE7 - 50_000,
      lngE7: Geodesy.longitudeE7(Int64(lngE7) + 300)
    )
    #expect(watch.renew(around: other, with: capsules).isEmpty)
    #expect(Set(watch.renew(around: other, with: [])) == Set(near))
  }

  @Test("A full watch takes 2 KB, a capsule 8 bytes")
  func size() {
    #expect(MemoryLayout<CapsuleWatch>.size <= 112)
    #expect(MemoryLayout<Presence>.size <= 640)
  }

  @Test("Renewed capsules that can be opened stay so; those that are gone are told")
  func renewed() {
    var watch = CapsuleWatch()
    let capsules = (1...3).map { NearCapsule(number: $0, place: ground.at(10, 0)) }
    let twice = capsules + capsules
    // Two with one number and place are one capsule to the watch.
    _ = watch.renew(around: ground.at(0, 0), with: twice)
    #expect(watch.take(ground.at(0, 0)).openable.map(\.number) == [1, 2, 3])
    #expect(watch.renew(around: ground.at(0, 0), with: capsules.dropFirst()) == [capsules[0]])
    #expect(watch.take(ground.at(0, 0)).isEmpty)
    #expect(!watch.needsCapsules(at: ground.at(849, 0)))
    #expect(watch.needsCapsules(at: ground.at(851, 0)))
    // Until the store has answered, the old ones count.
    #expect(watch.take(ground.at(900, 0)).closed == Array(capsules.dropFirst()))
    #expect(watch.nextCheckM == 0)
  }

  @Test("The nearest 256 are watched, and read anew before a further one can be opened")
  func full() {
    var watch = CapsuleWatch()
    let capsules = (0..<1_000).map { NearCapsule(number: UInt32($0), place: ground.at(150 + Double($0), 0)) }
    _ = watch.renew(around: ground.at(0, 0), with: capsules.reversed())
    _ = watch.take(ground.at(0, 0))
    #expect((45...50).contains(watch.nextCheckM))
    // The last of them is 405 m away.
    #expect(watch.needsCapsules(at: ground.at(301, 0)))
    #expect(!watch.needsCapsules(at: ground.at(299, 0)))
    #expect(watch.take(ground.at(299.5, 0)).openable.count == 200)
  }

  @Test("A watch tells what a look at every capsule tells", arguments: 0..<12)
  func sameAsPlain(number: UInt64) {
    let seed = 20_261_320 + number
    var random = SplitMix64(seed: seed)
    let ground = TestGround(latE7: number.isMultiple(of: 2) ? 375_665_000 : -849_000_000, lngE7: 1_800_000_000)
    let capsules = (0..<600).map { number in
      NearCapsule(
        number: UInt32(number),
        place: ground.at(.random(in: -3_000...3_000, using: &random), .random(in: 0...4_000, using: &random))
      )
    }
    var watch = CapsuleWatch()
    var openable: Set<UInt32> = []
    var plain: Set<UInt32> = []
    var lookedAt: Coordinate?
    var (eastM, northM, angle, told) = (0.0, 2_000.0, 0.0, 0)
    for _ in 0..<4_000 {
      angle += Double.random(in: -0.3...0.3, using: &random)
      if abs(eastM) > 3_000 || abs(northM - 2_000) > 1_900 { angle = atan2(2_000 - northM, -eastM) }
      eastM += 3 * cos(angle)
      northM += 3 * sin(angle)
      let place = ground.at(eastM, northM)
      var isLook = lookedAt.flatMap { Geodesy.distanceMm($0, place) }.map { $0 >= 5_000 } ?? true
      if watch.needsCapsules(at: place) {
        let found = capsules.filter { GeodesyTests.haversineM($0.place, place) <= 1_010 }
        for gone in watch.renew(around: place, with: found) { openable.remove(gone.number) }
        isLook = true
      }
      if isLook {
        lookedAt = place
        plain = Set(capsules.filter { GeodesyTests.haversineM($0.place, place) <= 100 }.map(\.number))
      }
      let changes = watch.take(place)
      openable.formUnion(changes.openable.map(\.number))
      openable.subtract(changes.closed.map(\.number))
      told += changes.openable.count + changes.closed.count
      let different = openable.symmetricDifference(plain)
      let isClose = different.allSatisfy {
        abs(GeodesyTests.haversineM(capsules[Int($0)].place, lookedAt ?? place) - 100) < 0.05
      }
      #expect(isClose, "seed \(seed)")
    }
    #expect(told > 50)
  }
}
