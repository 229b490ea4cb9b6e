// The tally as commands see it, rebuilt from a folder's store, with the names of schools. A value. Beside a running
// server it is that of the newest commit.
import ArgumentParser
import Foundation
import Game
import Store

struct Contest {
  var tally: Tally
  private let isWhole: Bool
  private let schools: [SchoolID: School]

  init(_ store: SQLiteStore) throws {
    let recovered = try store.recoverTally()
    tally = recovered.tally
    isWhole = recovered.isWhole && tally.check().isEmpty
    schools = Dictionary(uniqueKeysWithValues: try store.schools().map { ($0.id, $0) })
  }

  /// Opens the folder's store only while it reads.
  init(in folder: StoreFolder) async throws {
    let store = try folder.open()
    defer { store.close() }
    try self.init(store)
    warnUnlessWhole()
  }

  /// Warns commands that only read.
  func warnUnlessWhole() {
    guard !isWhole else { return }
    let warning = "Warning: something of the taps is lost or does not agree, see madang check.\n"
    FileHandle.standardError.write(Data(warning.utf8))
  }

  /// Refuses a damaged tally before any change.
  ///
  /// - Throws: `ValidationError` when something of the tally is lost or does not agree.
  func requireSound() throws {
    guard isWhole else {
      throw ValidationError("something of the taps is lost or does not agree, see madang check. Nothing has changed.")
    }
  }

  /// - Throws: `ValidationError` for a season that has not begun.
  func require(season: UInt32) throws {
    guard 1...tally.season ~= season else {
      throw ValidationError("there is no season \(season); season \(tally.season) runs.")
    }
  }

  /// A player's counts of a season.
  func counts(of player: TalliedPlayer, in season: UInt32) -> [CountedTaps] {
    tally.counts(ofNumber: player.number).filter { $0.season == season }
  }

  /// The school; nil when the list has never had it.
  func school(_ id: SchoolID) -> School? { schools[id] }

  func title(of id: SchoolID) -> String {
    [id.description, schools[id]?.name ?? "", schools[id]?.region ?? ""].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  func line(_ place: RankedSchool) -> String {
    "\(place.rank)  \(place.count) taps  \(title(of: place.school))"
  }
}

extension [RankedSchool] {
  /// The total of all schools.
  var taps: Int64 { reduce(0) { $0 + $1.count } }
}
