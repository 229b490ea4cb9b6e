// The pure parts of `ramp`: its arguments, the knee among the steps, and the picture.
import Testing
import madang_loadtest

@Suite struct RampTests {
  private func steps(_ pairs: [(due: Double, delivered: Double)]) -> RampSteps {
    var steps = RampSteps()
    for (index, pair) in pairs.enumerated() {
      steps.append(
        RampStep(
          rooms: 100 * (index + 1),
          duePerSecond: pair.due,
          deliveredPerSecond: pair.delivered,
          answerP50Ms: 10,
          answerP99Ms: Double(40 * (index + 1))
        )
      )
    }
    return steps
  }

  @Test("The knee is the step with the most frames at which the server keeps up")
  func knee() {
    #expect(steps([(100, 100), (200, 198), (300, 250), (450, 260)]).knee?.rooms == 200)
    #expect(steps([(100, 100), (200, 100)]).knee?.rooms == 100)
    // A step that a busy machine spoiled is not the end.
    #expect(steps([(100, 100), (200, 150), (300, 299)]).knee?.rooms == 300)
    #expect(steps([(100, 90)]).knee == nil)
    #expect(RampSteps().knee == nil)
  }

  @Test("A run whose bots were busy or had to wait does not count")
  func flaw() {
    var good = RampStep(rooms: 1, duePerSecond: 1, deliveredPerSecond: 1, botCPUShare: 0.9, botWaitShare: 0.1)
    var steps = RampSteps()
    steps.append(good)
    #expect(steps.flaw == nil)
    good.botWaitShare = 0.11
    steps.append(good)
    #expect(steps.flaw == "the bots waited 11 % of the time for a processor")
    good.botCPUShare = 0.91
    steps.append(good)
    #expect(steps.flaw == "the bots took 91 % of a core")
    #expect(RampSteps().flaw == nil)
  }

  @Test("Medians of the rounds are compared, and the longest time to an answer counts")
  func rounds() {
    var rounds = RampRounds()
    #expect(rounds.median(at: 0) == nil && rounds.share(at: 1) == nil && rounds.answersP99Ms(at: 1) == nil)
    for (delivered, p99) in [(100.0, 10.0), (90, 30), (200, 20)] {
      rounds.append(RampStep(rooms: 10, duePerSecond: 100, deliveredPerSecond: delivered, answerP99Ms: p99), at: 0)
    }
    for (delivered, p99) in [(70.0, 400.0), (80, 500), (300, 90)] {
      rounds.append(RampStep(rooms: 15, duePerSecond: 150, deliveredPerSecond: delivered, answerP99Ms: p99), at: 1)
    }
    #expect(rounds.median(at: 0)?.deliveredPerSecond == 100)
    #expect(rounds.share(at: 1) == 0.8)
    #expect(rounds.answersP99Ms(at: 1) == 500)
    #expect(rounds.share(at: 2) == nil)
    rounds.append(RampStep(rooms: 15, duePerSecond: 150, deliveredPerSecond: 1), at: 1)
    #expect(rounds.answersP99Ms(at: 1) == nil)
  }

  @Test("The picture has a point for each step and measure, and marks the knee")
  func picture() {
    let svg = RampPicture(steps([(100, 100), (200, 198), (300, 250)]), players: 4, rateHz: 5, tickHz: 10).svg
    #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
    #expect(svg.components(of: "<circle ") == 9)
    #expect(svg.components(of: ">knee<") == 1)
    #expect(RampPicture(RampSteps(), players: 4, rateHz: 5, tickHz: 10).svg.components(of: "<circle ") == 0)
  }

  @Test("Numbers of the table are rounded to their digits")
  func text() {
    #expect(RampSteps.text(1.05, digits: 2) == "1.05")
    #expect(RampSteps.text(99.96) == "100.0")
    #expect(RampSteps.text(12_345.6, digits: 0) == "12346")
    #expect(RampSteps.text(nil) == "-")
  }

  @Test(
    "Arguments out of their bounds are refused",
    arguments: [
      ["--rooms", "0"], ["--first-rooms", "0"], ["--rooms", "10", "--first-rooms", "11"], ["--players", "1"],
      ["--rate", "20"], ["--step-seconds", "1"], ["--rounds", "0"], ["--connects-per-second", "0"],
      ["--subprotocol", "xml"], ["--tick-hz", "0"], ["--tick-hz", "21"],
      ["--players", "4", "--rate", "1", "--tick-hz", "3"],
    ]
  )
  func badArguments(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try Ramp.parse(arguments) }
  }

  @Test("Ticks are as many as positions of a player, or half as many as those of a room")
  func ticks() throws {
    #expect(try Ramp.parse(["--players", "2", "--rate", "10"]).ticksPerSecond == 10)
    #expect(try Ramp.parse(["--players", "4", "--rate", "1", "--tick-hz", "2"]).ticksPerSecond == 2)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
