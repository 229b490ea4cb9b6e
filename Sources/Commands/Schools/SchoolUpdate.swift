// The effect of a list of schools on the known ones: the edition to apply, and the schools that stay because their rows
// were refused. A value; nothing is written here.
// Decisions: 064 (docs/decisions).
import Game

/// A list compared with the schools of a store.
///
/// A refused row says nothing of its school, which stays as it was. A refused row that does not name its school may be
/// any school's. With such a row the list closes no school, unless the operator allows it.
package struct SchoolUpdate {
  /// The edition to apply: each school to be open, and the list's other rows.
  package let edition: [School]
  /// Open schools whose rows were refused, in the order of their identifiers.
  package let kept: [School]
  /// The open schools that the list lacks or calls closed.
  package let closing: Set<SchoolID>
  /// The number of open schools without the invented ones.
  package let openCount: Int
  /// Whether all of `closing` stay open.
  package let withholdsClosing: Bool
  /// Whether more than one in ten of the open schools would be closed: the list may have been cut off.
  package let closesTooMany: Bool

  /// Compares a list; one that lacks the `invented` schools always closes them.
  ///
  /// - Throws: `Unfit` when the list is none to apply.
  package init(
    _ list: SchoolList,
    over known: [School],
    invented: Set<SchoolID>,
    allowsClosing: Bool
  ) throws(SchoolList.Unfit) {
    let schools = try list.edition()
    // Of two rows for one school the sound one counts.
    let refused = Set(list.refusedPlaces.keys).subtracting(schools.map(\.id))
    let open = known.filter { !$0.isClosed }
    let kept = open.filter { refused.contains($0.id) }.sorted { $0.id < $1.id }
    let staying = Set(schools.lazy.filter { !$0.isClosed }.map(\.id)).union(kept.map(\.id))
    let real = open.filter { !invented.contains($0.id) }
    let missing = real.filter { !staying.contains($0.id) }
    let closing = Set(missing.map(\.id))
    self.kept = kept
    self.closing = closing
    openCount = real.count
    closesTooMany = 10 * closing.count > real.count && !allowsClosing
    withholdsClosing = list.hasRefusedUnknown && !allowsClosing
    edition =
      withholdsClosing
      ? schools.filter { !closing.contains($0.id) } + kept + missing
      : schools + kept
  }
}
