// What an operator is told when the tally can't be made again from what is stored: the same words for every back end.
// Values.
import Game

/// Where the tally lies, by the names that operators are told.
package enum TallyTable: String, Sendable {
  case schools = "tap_schools"
  case seasons = "tap_seasons"
  case totals = "tap_totals"
  case players = "tap_players"
  case counts = "tap_counts"
  case segments = "tally_segments"
}

extension StoreFailure {
  /// Why `error`, met while rows or segments of a table were read or taken in, ends that. What no tally can have is
  /// damage, and no tally is made from the rest of the rows: batches would count twice. A segment that no tally can
  /// have is left out by a start; a table of segments that can't be read ends it like any other. `translate` says what
  /// the back end's own errors stand for.
  package init(
    _ error: any Error,
    reading table: TallyTable,
    _ translate: (any Error) -> StoreFailure = StoreFailure.init(ofCaller:)
  ) {
    switch error {
    case is TallyRowFault: self = .corrupt(Self.damage("\(error)", table))
    case is JournalFault:
      self = .corrupt(Self.damage("\(error)", table, way: "the server starts without them, or go back"))
    default:
      let failure = translate(error)
      if case .corrupt(let what) = failure { self = .corrupt(Self.damage(what, table)) } else { self = failure }
    }
  }

  private static func damage(_ what: String, _ table: TallyTable, way: String = "go back") -> String {
    "the taps in table \(table.rawValue) can't be read (\(what)); \(way) to a backup, see madang backup --help"
  }
}
