// The results that count as records, and the numbers of records that earn badges.
import Game
import Testing

@Suite("Badges")
struct BadgeRulesTests {
  @Test("The 1st, 3rd, 5th, 10th, 20th, 30th and 50th record give badges, and no others")
  func badges() {
    let badges = (0...100).compactMap { count in BadgeRules.badge(forRecords: count).map { (count, $0) } }
    #expect(badges.map(\.0) == [1, 3, 5, 10, 20, 30, 50])
    #expect(badges.map(\.1) == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test(
    "A completed run counts; an uncompleted one counts from 60 s and 100 m",
    arguments: [
      (true, 0, 0, true), (false, 60_000, 100_000, true), (false, 59_999, 100_000, false),
      (false, 60_000, 99_999, false), (false, 3_600_000, 0, false),
    ]
  )
  func counting(isCompleted: Bool, timeMs: Int, distanceMm: Int64, counts: Bool) {
    let row = BoardRow(
      seat: 0,
      id: TestRoom.player(0),
      nickname: "지민",
      rank: 1,
      points: 0,
      distanceMm: distanceMm,
      time: .milliseconds(timeMs),
      won: false,
      completed: isCompleted,
      calories: 0
    )
    #expect(row.counts == counts)
  }
}
