// Which generations of a copy are kept.
import Copies
import Testing

@Suite("Retention of a copy")
struct CopyRetentionTests {
  private func kept(_ generations: [(String, Bool)], _ count: Int) -> Set<String> {
    var settings = CopySettings()
    settings.generationsKept = count
    let stored = generations.map {
      StoredGeneration($0.0, files: $0.1 ? ["delta-0000000001-5", "whole"] : ["snapshot-00000000"])
    }
    return CopyRetention.kept(of: stored, settings)
  }

  @Test("The newest whole ones are kept, and the one under way behind them")
  func newest() {
    let days = (1...5).map { ("2026110\($0)T030000000Z-00000001", true) }
    let next = ("20261106T030000000Z-00000001", false)
    #expect(kept(days + [next], 2) == Set([days[3].0, days[4].0, next.0]))
    #expect(kept(days, 9) == Set(days.map(\.0)))
    #expect(kept(days, 1) == [days[4].0])
  }

  @Test("One that never became whole goes with the next whole one, and not before")
  func unfinished() {
    let (old, broken) = (("20261101T030000000Z-00000001", true), ("20261102T030000000Z-00000001", false))
    #expect(kept([old, broken], 3) == [old.0, broken.0])
    let new = ("20261103T030000000Z-00000001", true)
    #expect(kept([old, broken, new], 3) == [old.0, new.0])
    #expect(kept([broken], 3) == [broken.0])
  }

  @Test("Starts in a row drive no older day out: of an hour the newest one is kept")
  func starts() {
    let day = ("20261101T030000000Z-00000001", true)
    let starts = (10...59).map { ("20261102T03\($0)00000Z-00000001", true) }
    #expect(kept([day] + starts, 2) == [day.0, "20261102T035900000Z-00000001"])
  }
}
