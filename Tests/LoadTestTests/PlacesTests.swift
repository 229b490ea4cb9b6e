// The arguments of `places`.
import ArgumentParser
import Testing
import madang_loadtest

@Suite struct PlacesTests {
  @Test("Arguments within their bounds are accepted")
  func goodArguments() throws {
    let places = try Places.parse([
      "--players", "19000", "--square-m", "20", "--seconds", "3600", "--connects-per-second", "95", "--unwatched",
      "--server-pid", "1", "--seed", "7",
    ])
    #expect(places.players == 19_000 && places.squareM == 20 && places.seconds == 3_600)
    #expect(places.connectsPerSecond == 95 && places.unwatched)
  }

  @Test(
    "Arguments out of their bounds are refused",
    arguments: [
      ["--players", "0"], ["--players", "19001"], ["--square-m", "19"], ["--square-m", "20001"], ["--seconds", "1"],
      ["--seconds", "3601"], ["--connects-per-second", "0"], ["--connects-per-second", "5001"],
    ]
  )
  func badArguments(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try Places.parse(arguments) }
  }
}
