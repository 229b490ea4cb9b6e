// Imports of operators while the server runs. Part of `BatchWriting`.
import GRDB
import Game

extension BatchWriting {
  func write(_ change: ImportChange) throws -> ImportOutcome {
    switch change {
    case .lands(let lands, let entry):
      let outcome = ImportOutcome.lands(try lands.map { try SQLiteStore.add($0, on: db) })
      try write(entry.with(outcome))
      return outcome
    case .renameLand(let land, let name, let entry): return try rename(land, to: name, entry)
    case .schools(let edition, let at, let entry):
      let outcome = ImportOutcome.schools(try SQLiteStore.apply(edition, at: at, on: db))
      try write(entry.with(outcome))
      return outcome
    case .school(let correction, let at, let entry): return try correct(correction, at: at, entry)
    case .fences(let fences, let entry):
      let outcome = try importFences(fences)
      if outcome != .tooManyFences { try write(entry.with(outcome)) }
      return outcome
    case .removeFences(let fences, let entry):
      let outcome = try removeFences(fences)
      try write(entry.with(outcome))
      return outcome
    }
  }
}
