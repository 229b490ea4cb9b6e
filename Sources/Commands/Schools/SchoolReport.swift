// The report of an import of schools, in lines for the operator: one for each row whose school has changed or could not
// be read. A value.
import Game
import Store

struct SchoolReport {
  let lines: [String]

  /// Reports a list that was applied to the schools `before`, which are `after` now.
  init(of list: SchoolList, _ update: SchoolUpdate, _ applied: SchoolEdition, before: [School], after: [School]) {
    var places: [SchoolID: String] = [:]
    for offer in list.offers { if let school = try? offer.school.get() { places[school.id] = offer.place } }
    let before = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0) })
    func line(_ outcome: String, _ id: SchoolID, _ text: (School) -> String) -> String {
      guard let school = after[id] else { preconditionFailure("a written school exists") }
      return "\(outcome)  \(places[id] ?? "not in the list"): \(text(school))"
    }
    let refusals = list.refusalLines
    let counts = "\(applied.added.count) added, \(applied.changed.count) changed, \(applied.closed.count) closed"
    lines =
      applied.added.map { line("added  ", $0, \.line) }
      + applied.changed.map { id in
        guard let old = before[id] else { preconditionFailure("a changed school existed before") }
        return line("changed", id) { $0.line(since: old) }
      }
      + applied.closed.map { line("closed ", $0, \.line) }
      + refusals
      + Self.kept(by: update, of: list)
      + ["\(counts), \(refusals.count) refused of \(list.offers.count) rows"]
  }

  private static func kept(by update: SchoolUpdate, of list: SchoolList) -> [String] {
    let places = list.refusedPlaces
    let kept = update.kept.map { "kept     \(places[$0.id] ?? "refused"): \($0.line)" }
    guard update.withholdsClosing, !update.closing.isEmpty else { return kept }
    return kept + [
      """
      kept     \(update.closing.count) open schools are not in the list or closed there, and stay open, for a refused row does \
      not say whose it is; with --allow-closing they are closed
      """
    ]
  }
}

extension SchoolList {
  /// The refused rows and the reasons.
  var refusalLines: [String] {
    offers.compactMap { offer in offer.refusal.map { "refused  \(offer.place): \($0)" } }
  }
}

extension School {
  var line: String {
    [id.description, name, level.word, region, address].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// The changes of a school, each text with the old one: `B1  name 가람초 → 가람초등학교  opened again`.
  package func line(since old: School) -> String {
    func change(_ title: String, _ old: String, _ new: String) -> String? {
      old == new ? nil : "\(title) \(old.isEmpty ? "none" : old) → \(new.isEmpty ? "none" : new)"
    }
    let parts = [
      id.description,
      change("name", old.name, name) ?? name,
      change("level", old.level.word, level.word),
      change("region", old.region, region),
      change("address", old.address, address),
      old.isClosed && !isClosed ? "opened again" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: "  ")
  }
}
