// The times in a report.
import Testing
import madang_loadtest

@Suite struct CommandResultsTests {
  @Test("Percentiles are taken from measured values, and without any they are absent")
  func percentiles() {
    var results = CommandResults()
    #expect(results.lines(seconds: 1).last == "time to the answer  none")
    results.answered(afterMicroseconds: 2_000, isOK: true)
    #expect(
      results.lines(seconds: 1).last
        == "time to the answer  p50 2.0 ms, p99 2.0 ms, p99.9 2.0 ms, max 2.0 ms"
    )
  }
}
