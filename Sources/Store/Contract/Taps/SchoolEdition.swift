// What a newer edition of the list of schools changes: reckoned once, for every back end. A value.
import Game

/// What became of the schools when an edition was applied.
package struct SchoolEdition: Hashable, Sendable {
  /// In the edition's order, as all of `changed`.
  package private(set) var added: [SchoolID] = []
  /// They have another text or level, or are open again.
  package private(set) var changed: [SchoolID] = []
  /// They were open and are not: the edition says so, or lacks them. The lowest identifier first.
  package private(set) var closed: [SchoolID] = []
  /// The schools as they are now, of those that are not as they were.
  package private(set) var news: [School] = []

  /// The difference between an edition and what is known. In an edition each school is once.
  package init(of edition: [School], over known: [SchoolID: School]) {
    var gone = known.filter { !$0.value.isClosed }
    var seen: Set<SchoolID> = []
    for school in edition {
      precondition(seen.insert(school.id).inserted, "an edition has each school once")
      let before = known[school.id]
      if !school.isClosed { gone[school.id] = nil }
      guard before != school else { continue }
      news.append(school)
      switch before {
      case nil: added.append(school.id)
      case let before? where school.isClosed && !before.isClosed: closed.append(school.id)
      default: changed.append(school.id)
      }
      gone[school.id] = nil
    }
    let missing = gone.values.sorted { $0.id < $1.id }
    news += missing.map(\.closed)
    closed = (closed + missing.map(\.id)).sorted()
  }
}
