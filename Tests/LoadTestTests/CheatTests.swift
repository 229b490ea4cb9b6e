// The stories of cheats, and the judgement of their table.
import Testing
import madang_loadtest

@Suite struct CheatTests {
  @Test("A story follows from its seed, in the order of its times", arguments: CheatKind.allCases)
  func stories(kind: CheatKind) {
    let script = CheatStory.script(kind, seconds: 90, seed: 7, around: nil)
    let again = CheatStory.script(kind, seconds: 90, seed: 7, around: nil)
    #expect(script.steps.map(\.atMs) == again.steps.map(\.atMs))
    #expect(zip(script.steps, script.steps.dropFirst()).allSatisfy { $0.atMs <= $1.atMs })
    #expect((script.cheatsFromMs == nil) == (kind.fate == .reference))
    // A minute is left in which it must become suspect, unless all is told at once.
    if kind.fate == .suspect { #expect(script.cheatsFromMs ?? .max <= 60_000) }
  }

  private static func row(
    _ kind: CheatKind,
    points: UInt32 = 80,
    distanceM: UInt32 = 1_000,
    after: [Double] = [],
    runMs: UInt32? = nil
  ) -> CheatTable.Row {
    var row = CheatTable.Row(kind)
    row.games = 100
    row.suspects = after.count
    row.suspectAfterSeconds = after
    row.pointsMax = points
    row.distanceMaxM = distanceM
    row.runLeastMs = runMs
    return row
  }

  @Test("A table complains of cheats that are not suspect in time, and of gains")
  func complaints() {
    let honest = [Self.row(.honest), Self.row(.honestLap, runMs: 60_000)]
    func complaints(_ row: CheatTable.Row) -> Int { CheatTable(honest + [row]).complaints.count }
    let inTime = Array(repeating: 30.0, count: 99)
    #expect(complaints(Self.row(.ahead, after: inTime)) == 0)
    #expect(complaints(Self.row(.ahead, after: inTime.dropLast() + [61])) == 1)
    #expect(complaints(Self.row(.ahead, points: 81, distanceM: 1_026, after: inTime)) == 2)
    #expect(complaints(Self.row(.edge, distanceM: 1_025)) == 0)
    #expect(complaints(Self.row(.edge, points: 81)) == 1)
    #expect(complaints(Self.row(.forgedGapLap, runMs: 59_000)) == 1)
    #expect(complaints(Self.row(.fasterLap, runMs: 30_000)) == 0)
    #expect(CheatTable([Self.row(.honest, after: [20])]).complaints.count == 1)
  }

  @Test("Arguments of cheats")
  func arguments() throws {
    let cheats = try Cheats.parse(["--games", "200", "--kinds", "two-places", "ahead", "--seconds", "120"])
    #expect(cheats.kinds == [.twoPlaces, .ahead] && cheats.games == 200)
    for arguments in [["--games", "0"], ["--seconds", "87"], ["--kinds", "nobody"]] {
      #expect(throws: (any Error).self) { try Cheats.parse(arguments) }
    }
  }
}
