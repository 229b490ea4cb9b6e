// The lists, maps and highlights of capsules over every back end, against a referee that looks at each capsule. The
// referee's distances are libm's.
import Game
import Glibc
import SeededRandom
import Store
import Testing

@Suite("Every store finds capsules")
struct CapsuleSearchTests {
  private static func place(_ latE7: Int, _ lngE7: Int) -> Coordinate {
    let lng = lngE7 > 1_800_000_000 ? lngE7 - 3_600_000_000 : lngE7 < -1_800_000_000 ? lngE7 + 3_600_000_000 : lngE7
    return Coordinate(latE7: Int32(max(-850_000_000, min(850_000_000, latE7))), lngE7: Int32(lng))
  }

  /// Dense places, at the antimeridian and at both ends of the map too, and the whole Earth.
  private static let centers: [(lat: Int, lng: Int, spread: Int)] = [
    (375_665_000, 1_269_780_000, 40_000), (375_665_000, 1_269_780_000, 3_000_000), (0, 1_800_000_000, 100_000),
    (849_900_000, -500_000_000, 400_000), (-849_900_000, 1_799_000_000, 4_000_000), (0, 0, 1_800_000_000),
  ]

  private static func draw(_ random: inout SplitMix64) -> Coordinate {
    let center = random.pick(centers)
    let range = -center.spread...center.spread
    return place(center.lat + random.draw(range) / 2, center.lng + random.draw(range))
  }

  /// The great circle's length, by libm.
  private static func distanceM(_ a: Coordinate, _ b: Coordinate) -> Double {
    func radians(_ e7: Int32) -> Double { Double(e7) * 1e-7 * .pi / 180 }
    let lat = sin((radians(b.latE7) - radians(a.latE7)) / 2)
    let lng = sin((radians(b.lngE7) - radians(a.lngE7)) / 2)
    let square = lat * lat + cos(radians(a.latE7)) * cos(radians(b.latE7)) * lng * lng
    return 2 * 6_371_008.8 * asin(min(1, square.squareRoot()))
  }

  /// Capsules of players 1 to 3, some for everyone, some at one place, some shared with others; some are edited, opened
  /// and deleted. Returns those that are left.
  private static func fill(_ store: any Store, _ random: inout SplitMix64, count: Int = 700) async throws -> Filled {
    try await store.greet(1...4)
    var filled = Filled()
    var changes: [CapsuleChange] = []
    for number in 1...UInt128(count) {
      let crowded = number % 7 == 0
      let new = capsule(
        number << 104 | number,
        of: 1 + UInt128(random.draw(0...2)),
        at: crowded ? place(375_665_000, 1_269_780_000) : draw(&random),
        day: Int64(random.draw(-20...20)),
        buriedAt: Int64(random.draw(0...40)),
        forEveryone: random.chance(75)
      )
      // Some 35 of each owner.
      let named = random.chance(15) ? [PlayerID(4)] : []
      changes.append(.bury(new, sharedWith: named))
      filled.capsules[new.id] = new
      filled.shared[new.id] = Set(named)
    }
    for id in filled.capsules.keys.sorted() where random.chance(30) {
      guard var capsule = filled.capsules[id] else { continue }
      switch random.draw(0...3) {
      case 0:
        changes.append(.delete(id, owner: capsule.owner))
        filled.capsules[id] = nil
        continue
      case 1:
        let edit = CapsuleEdit(id: id, owner: capsule.owner, memoryDay: 3, place: draw(&random), at: moment(90))
        changes.append(.edit(edit))
        capsule = edit.applied(to: capsule) ?? capsule
      case 2:
        capsule.isForEveryone.toggle()
        changes.append(
          .share(id, owner: capsule.owner, everyone: capsule.isForEveryone, with: [], without: [])
        )
      default:
        guard capsule.isForEveryone else { continue }
        for player: UInt128 in 1...4 where random.chance(60) {
          changes.append(.open(id, PlayerID(player), place: capsule.place, at: moment(95)))
          if PlayerID(player) != capsule.owner {
            capsule.openCount += 1
            filled.opened[id, default: []].insert(PlayerID(player))
          }
        }
      }
      filled.capsules[id] = capsule
    }
    for start in stride(from: 0, to: changes.count, by: 100) {
      let part = changes[start..<min(start + 100, changes.count)].map(\.change)
      let outcomes = try await store.commit(Batch(at: moment(0), changes: part))
      #expect(!outcomes.contains(.capsule(.notFound)) && !outcomes.contains(.capsule(.tooMany)))
    }
    return filled
  }

  private struct Filled {
    var capsules: [CapsuleID: Capsule] = [:]
    var shared: [CapsuleID: Set<PlayerID>] = [:]
    var opened: [CapsuleID: Set<PlayerID>] = [:]

    func rows(_ scope: CapsuleScope, of player: UInt128) -> [CapsuleSummary] {
      capsules.values.filter { capsule in
        switch scope {
        case .own: capsule.owner == PlayerID(player)
        case .sharedWithMe: shared[capsule.id]?.contains(PlayerID(player)) == true
        case .everyone: capsule.isForEveryone
        }
      }.map { $0.summary(hasOpened: opened[$0.id]?.contains(PlayerID(player)) == true) }
    }

    func visible(to player: UInt128) -> [CapsuleSummary] {
      Array(Set(CapsuleScope.allCases.flatMap { rows($0, of: player) }))
    }
  }

  /// Whether rows are in the order of their distances, which libm tells apart to a centimetre.
  private static func areOrdered(_ rows: [CapsuleSummary], from place: Coordinate, descending: Bool) -> Bool {
    zip(rows, rows.dropFirst()).allSatisfy { one, next in
      if one.place == next.place { return descending ? one.id > next.id : one.id < next.id }
      let (first, second) = (distanceM(place, one.place), distanceM(place, next.place))
      // Near the antipode libm's arc sine loses some.
      let tolerance = max(first, second) > 1.9e7 ? 5 : 0.01
      return descending ? first >= second - tolerance : first <= second + tolerance
    }
  }

  @Test("What is near is found, nearest first", arguments: BackEnd.allCases)
  func near(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var random = SplitMix64(seed: 21)
      let filled = try await Self.fill(store, &random)
      for round in 0..<40 {
        let (place, player) = (Self.draw(&random), UInt128(1 + round % 4))
        let withinM = [100, 1_000, 5_000, 25_000][round / 4 % 4]
        let found = try await store.capsules(near: place, withinM: withinM, visibleTo: player, limit: 5_000)
        let lookups = found.map { CapsuleLookup($0, for: PlayerID(player)) }
        let rows = try await store.lookUp(lookups).flatMap(\.self)
        #expect(rows.map { NearCapsule(number: $0.id.number, place: $0.place) } == found)
        let byID = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        for row in filled.visible(to: player) {
          let distanceM = Self.distanceM(place, row.place)
          if let other = byID[row.id] {
            #expect(other == row && distanceM <= Double(withinM) + 0.1)
          } else {
            #expect(distanceM >= Double(withinM) - 0.1)
          }
        }
        #expect(Self.areOrdered(rows, from: place, descending: false))
        let few = try await store.capsules(near: place, withinM: withinM, visibleTo: player, limit: 9)
        #expect(few == Array(found.prefix(9)))
      }
    }
  }

  @Test("Pages have every capsule once, in the order of the sort", arguments: BackEnd.allCases)
  func pages(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var random = SplitMix64(seed: 22)
      let filled = try await Self.fill(store, &random)
      for (scope, player): (CapsuleScope, UInt128) in [(.own, 2), (.sharedWithMe, 4), (.everyone, 3)] {
        let rows = filled.rows(scope, of: player).sorted { ($0.memoryDay, $0.id) < ($1.memoryDay, $1.id) }
        #expect(try await store.pages(scope, by: .oldest, of: player, limit: 17) == rows)
        #expect(try await store.pages(scope, by: .latest, of: player, limit: 50) == rows.reversed())
        for center in Self.centers {
          let place = Self.place(center.lat + 7, center.lng)
          let nearest = try await store.pages(scope, by: .nearest(place), of: player, limit: 13)
          #expect(nearest.count == rows.count && Set(nearest) == Set(rows))
          #expect(Self.areOrdered(nearest, from: place, descending: false), "\(place)")
          #expect(try await store.pages(scope, by: .furthest(place), of: player, limit: 50) == nearest.reversed())
        }
      }
    }
  }

  @Test("A cursor goes on at its place when capsules move, come and go", arguments: BackEnd.allCases)
  func cursors(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for number: UInt128 in 1...30 {
        let place = Self.place(375_000_000 + Int(number) * 1_000, 1_270_000_000)
        try await store.bury(capsule(number, at: place, day: Int64(number)))
      }
      let origin = Self.place(375_000_000, 1_270_000_000)
      for sort in [CapsuleSort.oldest, .nearest(origin)] {
        let first = try await store.page(AskedCapsules(.everyone, by: sort, limit: 10), of: 2)
        let last = try #require(first.last)
        let next = AskedCapsules(.everyone, by: sort, after: CapsuleCursor(of: last, in: sort), limit: 10)
        let before = try await store.page(next, of: 2)
        // The cursor's capsule goes away, and one from before comes behind.
        try await store.change(CapsuleChange.delete(last.id, owner: PlayerID(1)))
        let moved = Self.place(375_000_000 + 31_000, 1_270_000_000)
        let edit = CapsuleEdit(id: first[0].id, owner: PlayerID(1), memoryDay: 31, place: moved, at: moment(9))
        try await store.change(CapsuleChange.edit(edit))
        #expect(try await store.page(next, of: 2).map(\.id) == before.map(\.id))
        #expect(try await store.pages(.everyone, by: sort, of: 2, limit: 10).last?.id == first[0].id)
      }
    }
  }

  @Test("A map has its capsules, or the clusters of its cells", arguments: BackEnd.allCases)
  func maps(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var random = SplitMix64(seed: 23)
      let filled = try await Self.fill(store, &random)
      for round in 0..<60 {
        let center = Self.draw(&random)
        let half = [200, 20_000, 900_000, 60_000_000][round % 4]
        let (south, north) = (Self.place(Int(center.latE7) - half, 0), Self.place(Int(center.latE7) + half, 0))
        let (west, east) = (Self.place(0, Int(center.lngE7) - half), Self.place(0, Int(center.lngE7) + half))
        let box = try #require(
          MapBox(southE7: south.latE7, westE7: west.lngE7, northE7: north.latE7, eastE7: east.lngE7)
        )
        for (scope, player): (CapsuleScope, UInt128) in [(.own, 2), (.sharedWithMe, 4), (.everyone, 3)] {
          let rows = filled.rows(scope, of: player)
          let inside = rows.filter { row in
            let eastwards = (Int(row.place.lngE7) - Int(west.lngE7) + 3_600_000_000) % 3_600_000_000
            return (south.latE7...north.latE7).contains(row.place.latE7) && eastwards <= 2 * half
          }
          let all = try await store.map(box, scope, of: player, limit: 1_000)
          #expect(all == .capsules(inside.sorted { $0.id < $1.id }))
          guard inside.count > 5, case .clusters(let clusters) = try await store.map(box, scope, of: player, limit: 5)
          else { continue }
          let count = clusters.reduce(0) { $0 + Int($1.count) }
          #expect(count >= inside.count && count <= rows.count && clusters.count <= PlaceGrid.cellsMax)
        }
      }
      let earth = try #require(
        MapBox(southE7: -900_000_000, westE7: -1_800_000_000, northE7: 900_000_000, eastE7: 1_800_000_000)
      )
      guard case .clusters(let clusters) = try await store.map(earth, limit: 10) else {
        throw StoreFailure.other("few capsules")
      }
      #expect(clusters.reduce(0) { $0 + Int($1.count) } == filled.rows(.everyone, of: 1).count)
    }
  }

  @Test("Highlights are the first and the last of each order", arguments: BackEnd.allCases)
  func highlights(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      var random = SplitMix64(seed: 24)
      let filled = try await Self.fill(store, &random)
      for (scope, player): (CapsuleScope, UInt128) in [(.own, 2), (.sharedWithMe, 4), (.everyone, 3)] {
        let rows = filled.rows(scope, of: player).sorted { $0.id < $1.id }
        let place = Self.draw(&random)
        let found = try await store.highlights(scope, of: player, at: place)
        let byDistance = try await store.pages(scope, by: .nearest(place), of: player, limit: 50)
        #expect(found.nearest == byDistance.first && found.furthest == byDistance.last)
        func ends(_ key: (CapsuleSummary) -> Int64) -> [CapsuleSummary?] {
          let order = rows.sorted { (key($0), $0.id) < (key($1), $1.id) }
          return [order.first, order.last]
        }
        #expect([found.oldest, found.newest] == ends(\.memoryDay))
        #expect([found.closedLongest, found.closedShortest] == ends(\.buriedAt.milliseconds))
        #expect([found.leastOpened, found.mostOpened] == ends(\.openCount))
      }
    }
  }

  @Test("A measure is that of the great circle, and codes are those of their places")
  func measures() {
    var random = SplitMix64(seed: 25)
    for _ in 0..<20_000 {
      let (a, b) = (Self.draw(&random), Self.draw(&random))
      let measure = SphereVector(a).measure(to: SphereVector(b))
      let chord = (Double(measure) / Double(Int64(1) << SphereVector.measureBits)).squareRoot()
      let distanceM = 2 * 6_371_008.8 * asin(min(1, chord / 2))
      let expected = Self.distanceM(a, b)
      #expect(abs(distanceM - expected) < (expected > 1.9e7 ? 5 : 0.005), "\(a), \(b)")
      #expect(PlaceCode(a).place == a)
      for level in 0...PlaceCell.levelMax {
        let cell = PlaceCell(PlaceCode(a), level: level)
        #expect(cell.lats.contains(Int64(a.latE7)) && cell.lngs.contains(Int64(a.lngE7)))
        #expect((cell.first...cell.last).contains(PlaceCode(a).value))
      }
    }
    for metres: Int64 in [1, 100, 1_000, 25_000, 100_000] {
      let chord = (Double(SphereVector.measure(ofM: metres)) / Double(Int64(1) << 60)).squareRoot()
      #expect(abs(2 * 6_371_008.8 * asin(chord / 2) - Double(metres)) < 0.001 + Double(metres) * 1e-6)
    }
  }
}
