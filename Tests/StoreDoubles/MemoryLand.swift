// A land of the double with its runs, and lands by their identifiers. Values.
import Game
import Store

struct MemoryLand {
  var land: Land
  var runs: [PlayerID: [LandTime]] = [:]
}

extension [MemoryLand] {
  func names(of ids: Set<LandID>) -> [LandID: String] {
    let known = filter { ids.contains($0.land.id) }
    return Dictionary(uniqueKeysWithValues: known.map { ($0.land.id, $0.land.name) })
  }

  mutating func rename(_ id: LandID, to name: String, _ entry: AuditEntry) -> (ImportOutcome, AuditEntry) {
    guard let index = firstIndex(where: { $0.land.id == id }) else { return (.unknownLand, entry) }
    let land = self[index].land
    self[index].land = Land(id: id, name: name, vertices: land.vertices)
    return (.renamedLand(from: land.name), entry.with(id, named: name, before: land.name))
  }
}
