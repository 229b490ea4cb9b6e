// The difference that a newer edition of the list of schools makes, worked out once for every back end. A value.
import Game

/// The changes of schools by an edition.
package struct SchoolEdition: Hashable, Sendable {
  /// The new schools, in the edition's order, as in `changed`.
  package private(set) var added: [SchoolID] = []
  /// The schools with another text or level, or open again.
  package private(set) var changed: [SchoolID] = []
  /// The schools that were open and are closed by the edition, or missing from it. The lowest identifier first.
  package private(set) var closed: [SchoolID] = []
  /// All of these schools as they are now: the rows to write.
  package private(set) var rows: [School] = []

  /// Compares an edition with the known schools. An edition has each school once.
  package init(of edition: [School], over known: [SchoolID: School]) {
    var gone = known.filter { !$0.value.isClosed }
    var seen: Set<SchoolID> = []
    for school in edition {
      precondition(seen.insert(school.id).inserted, "an edition has each school once")
      let before = known[school.id]
      if !school.isClosed { gone[school.id] = nil }
      guard before != school else { continue }
      rows.append(school)
      switch before {
      case nil: added.append(school.id)
      case let before? where school.isClosed && !before.isClosed: closed.append(school.id)
      default: changed.append(school.id)
      }
      gone[school.id] = nil
    }
    let missing = gone.values.sorted { $0.id < $1.id }
    rows += missing.map(\.closed)
    closed = (closed + missing.map(\.id)).sorted()
  }

  /// The difference that a correction of one school makes: others stay as they are.
  package init(correcting before: School, by correction: SchoolCorrection) {
    let school = correction.corrected(before)
    guard school != before else { return }
    rows = [school]
    if school.isClosed && !before.isClosed { closed = [school.id] } else { changed = [school.id] }
  }
}
