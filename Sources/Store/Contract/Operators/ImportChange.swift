// Lists that operators import while the server runs. Plain values. Each comes with its row of the audit log, whose
// detail the store writes: only the commit tells what was new.
import Game

/// An import of a part of a list.
package enum ImportChange: Hashable, Sendable {
  /// Adds lands, as `LandStore.addLands` does.
  case lands([Land], AuditEntry)
  /// Gives a land another name. Outcome `.renamedLand`, or `.unknownLand`; nothing is written then, not even into the
  /// audit log.
  case renameLand(LandID, name: String, AuditEntry)
  /// Applies an edition of the list of schools, which has each school once, as `SchoolStore.applySchools` does.
  case schools([School], at: Instant, AuditEntry)
  /// Corrects one school of the list, whose counts stay. Outcome `.schools`, or `.unknownSchool`; nothing is written
  /// then, not even into the audit log.
  case school(SchoolCorrection, at: Instant, AuditEntry)
  /// Adds fences, each once, or replaces those with the same identifiers. Outcome `.fences`, or `.tooManyFences` beyond
  /// `StoredFence.countMax`; nothing is written then, not even into the audit log.
  case fences([StoredFence], AuditEntry)
  /// Removes fences. Outcome `.removedFences`.
  case removeFences([FenceID], AuditEntry)
}

/// The outcome of an import.
package enum ImportOutcome: Hashable, Sendable {
  /// For each land whether it is new.
  case lands([Bool])
  /// The name that the land had.
  case renamedLand(from: String)
  case unknownLand
  case schools(SchoolEdition)
  case unknownSchool
  case fences(FenceCounts)
  case tooManyFences
  /// The number of those that were there.
  case removedFences(Int)
  /// The stored data is damaged there, so nothing was imported; the batch's other changes were made.
  case unavailable

  /// The counts in words, for operators and for the audit log.
  package var text: String {
    switch self {
    case .lands(let areNew):
      let added = areNew.count { $0 }
      return "\(added) added, \(areNew.count - added) there already"
    case .renamedLand(let before): return "\(before) is renamed"
    case .unknownLand: return "nothing: there is no such land"
    case .schools(let edition):
      return "\(edition.added.count) added, \(edition.changed.count) changed, \(edition.closed.count) closed"
    case .unknownSchool: return "nothing: there is no such school"
    case .fences(let counts):
      return "\(counts.added) added, \(counts.replaced) replaced, \(counts.unchanged) there already"
    case .tooManyFences: return "nothing: there would be more than \(StoredFence.countMax) fences"
    case .removedFences(let count): return "\(count) removed"
    case .unavailable: return "nothing: the store is damaged there"
    }
  }
}

extension AuditEntry {
  /// The entry with the outcome of an import.
  package func with(_ outcome: ImportOutcome) -> AuditEntry {
    var entry = self
    entry.detail = outcome.text
    return entry
  }

  /// The entry with what a correction has made of a school.
  package func with(_ school: School, before: School) -> AuditEntry {
    var entry = self
    let name = school.name == before.name ? school.name : "\(before.name) is \(school.name)"
    let state = school.isClosed == before.isClosed ? "" : school.isClosed ? ", closed" : ", open again"
    entry.detail = "school \(school.id): \(name)\(state)"
    return entry
  }

  /// The entry with a land's names.
  package func with(_ land: LandID, named name: String, before: String) -> AuditEntry {
    var entry = self
    entry.detail = "land \(land): \(before) is \(name)"
    return entry
  }

  /// The entry with the player whose proposal was decided.
  package func with(_ player: PlayerID) -> AuditEntry {
    var entry = self
    entry.player = player
    return entry
  }

  /// The entry with the player whose proposal was accepted, and its land.
  package func with(_ player: PlayerID, of land: Land, isNew: Bool) -> AuditEntry {
    var entry = with(player)
    entry.detail = "land \(land.id)" + (isNew ? ": \(land.name)" : ", there already")
    return entry
  }
}
