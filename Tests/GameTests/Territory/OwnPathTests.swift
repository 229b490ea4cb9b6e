// Territory mode: a player's own open path, as a room sends it to one who comes back.
import Game
import Testing

@Suite struct OwnPathTests {
  @Test(
    "An open path is sent fix by fix, accurate to a few hundredths of a metre in every direction",
    arguments: [(0, 0), (375_665_000, 1_269_780_000), (-105_665_000, 1_799_999_000), (205_000_000, -1_799_999_000)]
  )
  func walkedFixes(latE7: Int32, lngE7: Int32) throws {
    let middle = Coordinate(latE7: latE7, lngE7: lngE7)
    let settings = TerritorySettings(arena: try ArenaPlan(center: middle))
    var test = TestRoom(try RoomConfiguration(mode: .territory(settings)), players: 2)
    test.start()
    var walked: [Coordinate] = []
    for step in 0..<12 {
      test.wait(.seconds(1))
      // To the north-east first, then to the south-east, across the 180th meridian for some.
      var lng = Int64(lngE7) + Int64(step) * 400 - 1_800
      if lng > 1_800_000_000 { lng -= 3_600_000_000 }
      if lng < -1_800_000_000 { lng += 3_600_000_000 }
      let fix = Coordinate(latE7: latE7 + Int32(step < 6 ? step : 12 - step) * 500, lngE7: Int32(lng))
      test.apply(.move(.seat(1), Fix(latE7: fix.latE7, lngE7: fix.lngE7, accuracyM: 5)))
      walked.append(fix)
    }
    let path = test.room.path(of: 1)
    #expect(path.count == walked.count)
    for (there, here) in zip(path, walked) {
      #expect(Geodesy.isWithin(40, there, here), "\(there) instead of \(here)")
    }
  }
}
