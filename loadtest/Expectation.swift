// The bots' expectations of a server beyond any answer at all, and counts of how often they were met.
//
// Values: each shard of bots counts by itself, the command adds them up.

/// A value that a bot calculates by itself and compares with the server's.
enum Expectation: Int, CaseIterable, Sendable {
  // All bots.
  case believed
  case resumed
  case filled
  case calculatedPoints
  // Territory.
  case taken
  case nothingElse
  case cut
  case stolen
  case points
  case copies
  case ownPath
  // Lands.
  case visits
  case captured
  case givenUp
  case warned
  case ranked
  // Spoofers.
  case suspected
  case refusedForIt
  case noPoint
  case honestPrefix
  // Phones.
  case neverSuspect
  case ownResult
  case asWithoutGaps
  // Tappers.
  case countedOnce
  case sameAnswer
  case pastAnswer
  case gapRefused
  case abnormalTaps
  case tooManyTaps
  case withinTheRules
  case standing
  case stateReturned
  case schoolNeeded
  case schoolChosen
  case ownCount
  case conserved
  // Watchers of the ranking.
  case rankingFits
  case rankingChanged
  case rankingGrows
  case rankingPace

  var text: String {
    switch self {
    case .believed: "an honest bot's fixes are all believed"
    case .resumed: "a resume returns the same place in the same game"
    case .filled: "a board has all practice opponents, without a rank, and people's ranks have no gap"
    case .calculatedPoints: "a board has the points that its bots calculate"
    case .taken: "a closed path takes the area inside it; an open path takes nothing"
    case .nothingElse: "it takes nothing else"
    case .cut: "an opponent cuts an open path by crossing it, and in no other way"
    case .stolen: "the area inside a thief's path leaves its former holder"
    case .points: "points are the area of the held cells, in every tick and on the board"
    case .copies: "cells kept from ticks alone are those of a state and the ticks behind it"
    case .ownPath: "a resume returns the own path as it was walked"
    case .visits: "as many vertices are visited as the way has passed"
    case .captured: "a land is captured when enough of it is visited, and not before"
    case .givenUp: "a run that is given up is over, and the next begins with nothing visited"
    case .warned: "a player who strays from a land is warned, until the player is back"
    case .ranked: "a solo time is in its land's ranking when its capture is announced"
    case .suspected: "suspect within 40 s of beginning to cheat"
    case .refusedForIt: "a cheat is refused for what it is"
    case .noPoint: "no point and no way for a refused fix or while suspect"
    case .honestPrefix: "a cheat's board is that of the honest part"
    case .neverSuspect: "an honest phone is never suspect"
    case .ownResult: "points, distance and the run's time are those that the phone calculates"
    case .asWithoutGaps: "the same walk without gaps has the same points, distance, visits and time"
    case .countedOnce: "a batch counts exactly once, in the own count and the school's"
    case .sameAnswer: "the newest number again has the same answer"
    case .pastAnswer: "an earlier number is answered with the counts of now"
    case .gapRefused: "a number out of order is refused with the expected number"
    case .abnormalTaps: "a batch of too many taps is dropped, and no other"
    case .tooManyTaps: "too many taps are limited, and accepted after the announced time"
    case .withinTheRules: "a player within the rules is never limited"
    case .standing: "a resume returns the school, the newest batch and the own count"
    case .stateReturned: "a player without data gets the counted batches and goes on from them"
    case .schoolNeeded: "nothing counts without a school"
    case .schoolChosen: "another school begins at 0, the same one changes nothing, an unknown one is refused"
    case .ownCount: "in the end the own count is what was acknowledged since the choice"
    case .conserved: "in the end a school has what was acknowledged for it"
    case .rankingFits: "a ranking is in order, and the own school and its neighbours fit it"
    case .rankingChanged: "a published ranking differs from the last, and only watchers receive it"
    case .rankingGrows: "a school's count never falls in a season"
    case .rankingPace: "a ranking is published at most twice a second"
    }
  }
}

/// The number of times that each expectation was met.
struct ExpectationCounts: Sendable {
  private var met = Array(repeating: 0, count: Expectation.allCases.count)
  private var missed = Array(repeating: 0, count: Expectation.allCases.count)
  /// The number of loops and boards' rows that were not judged, because a few millimetres or milliseconds decided.
  var unclear = 0
  /// The first few examples of unmet expectations.
  private(set) var examples: [String] = []
  private static let examplesMax = 20

  var missedCount: Int { missed.reduce(0, +) }

  func met(_ expectation: Expectation) -> Int { met[expectation.rawValue] }

  mutating func note(_ expectation: Expectation, _ isMet: Bool, _ example: @autoclosure () -> String) {
    guard !isMet else { return met[expectation.rawValue] += 1 }
    missed[expectation.rawValue] += 1
    if examples.count < Self.examplesMax { examples.append(example()) }
  }

  mutating func add(_ other: ExpectationCounts) {
    for index in met.indices {
      met[index] += other.met[index]
      missed[index] += other.missed[index]
    }
    unclear += other.unclear
    examples += other.examples.prefix(max(0, Self.examplesMax - examples.count))
  }

  var lines: [String] {
    var lines: [String] = []
    for expectation in Expectation.allCases where met[expectation.rawValue] + missed[expectation.rawValue] > 0 {
      lines.append("  \(met[expectation.rawValue]) met, \(missed[expectation.rawValue]) missed: \(expectation.text)")
    }
    guard !lines.isEmpty else { return [] }
    if unclear > 0 { lines.append("  \(unclear) loops and boards' rows too close to call") }
    return ["expectations"] + lines + examples.map { "  missed: \($0)" }
  }
}
