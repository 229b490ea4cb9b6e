// The messages to operators when the tally can't be rebuilt from the store, the same for every back end. Values.
import Game

/// The parts of the stored tally, by the names that operators read in every back end, however it stores them.
package enum TallyPart: String, Sendable {
  case schools = "tap_schools"
  case seasons = "tap_seasons"
  case totals = "tap_totals"
  case players = "tap_players"
  case counts = "tap_counts"
  case segments = "tally_segments"
}

extension StoreFailure {
  /// Makes the failure for `error`, which was met while rows or segments of a part were read or applied. Contents that
  /// no tally can have are damage. No tally is made from the remaining rows, because batches would count twice. A start
  /// leaves out a segment that no tally can have; a list of segments that can't be read ends the start like any other.
  /// `translate` maps the back end's own errors.
  package init(
    _ error: any Error,
    reading part: TallyPart,
    _ translate: (any Error) -> StoreFailure = StoreFailure.init(ofCaller:)
  ) {
    switch error {
    case is TallyRowFault: self = .corrupt(Self.damage("\(error)", part))
    case is JournalFault:
      self = .corrupt(Self.damage("\(error)", part, way: "the server starts without them, or go back"))
    default:
      let failure = translate(error)
      if case .corrupt(let what) = failure { self = .corrupt(Self.damage(what, part)) } else { self = failure }
    }
  }

  private static func damage(_ what: String, _ part: TallyPart, way: String = "go back") -> String {
    "the taps in table \(part.rawValue) can't be read (\(what)); \(way) to a backup, see madang backup --help"
  }
}
