// The list of schools of the double: editions of it, and corrections of one school. Part of `MemoryTables`.
import Game
import Store

extension [SchoolID: School] {
  mutating func apply(_ edition: [School]) -> SchoolEdition {
    let difference = SchoolEdition(of: edition, over: self)
    for school in difference.rows { self[school.id] = school }
    return difference
  }

  mutating func correct(_ correction: SchoolCorrection, _ entry: AuditEntry) -> (ImportOutcome, AuditEntry) {
    guard let before = self[correction.id] else { return (.unknownSchool, entry) }
    let difference = SchoolEdition(correcting: before, by: correction)
    for school in difference.rows { self[school.id] = school }
    return (.schools(difference), entry.with(correction.corrected(before), before: before))
  }
}
