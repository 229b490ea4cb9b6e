// The pure parts of `stories`: its arguments, and what bots reckon.
import ArgumentParser
import Testing
import madang_loadtest

@Suite struct StoriesTests {
  @Test("Arguments within their bounds are accepted")
  func goodArguments() throws {
    let stories = try Stories.parse([
      "--players", "19000", "--rate", "0.1", "--seconds", "3600", "--picture-percent", "0", "--picture-kb", "5000",
      "--viewers", "2000", "--acts-per-second", "200", "--look-every", "1", "--shards", "64", "--seed", "7",
      "--expect-acts", "1", "--news-per-second-max", "4", "--p99-ms", "10",
    ])
    #expect(stories.players == 19_000 && stories.viewers == 2_000 && stories.picturePercent == 0)
  }

  @Test(
    "Arguments out of their bounds are refused",
    arguments: [
      ["--players", "0"], ["--players", "19001"], ["--viewers", "19001"], ["--rate", "0.05"], ["--rate", "1.1"],
      ["--seconds", "0"], ["--picture-percent", "101"], ["--picture-kb", "0"], ["--picture-kb", "5001"],
      ["--acts-per-second", "0"], ["--look-every", "0"], ["--connects-per-second", "0"], ["--shards", "65"],
    ]
  )
  func badArguments(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try Stories.parse(arguments) }
  }
}
