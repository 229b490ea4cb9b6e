// What a list of schools does to those that there are: what is applied, and which schools stay as they were because of rows
// that were refused. A value; nothing is written here.
// Decisions: 064 (docs/decisions).
import Game

/// A list over the schools that a store has.
///
/// A row that is refused says nothing of its school, which stays as it was. One that does not even say whose it is may be any
/// school's; so with such a row the list closes none, unless the operator allows it.
package struct SchoolUpdate {
  /// What is to be applied: each school that is to be open, and what the list says of others.
  package let edition: [School]
  /// Open schools whose rows were refused, in the order of their identifiers.
  package let kept: [School]
  /// Open ones that the list lacks or calls closed.
  package let closing: Set<SchoolID>
  /// Of so many, the invented ones aside.
  package let openCount: Int
  /// All of `closing` stay open.
  package let withholdsClosing: Bool
  /// More than one in ten of the open schools would be closed: the list may have been cut off.
  package let closesTooMany: Bool

  /// `invented` ones are closed by any list that lacks them.
  ///
  /// - Throws: `Unfit` when the list is none to apply.
  package init(
    _ list: SchoolList,
    over known: [School],
    invented: Set<SchoolID>,
    allowsClosing: Bool
  ) throws(SchoolList.Unfit) {
    let schools = try list.edition()
    // Of what a list tells twice, the one that is sound counts.
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
