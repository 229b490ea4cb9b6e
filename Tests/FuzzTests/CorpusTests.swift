// Every input in this folder, through its target, in every run of the tests; and mutations of them as a first search. A
// target traps on a broken property, so a test that ends has passed; `CurrentInput` keeps the input of one that traps.
// The search itself is scripts/fuzz.
import FuzzTargets
import SeededRandom
import Testing

@Suite("Fuzz targets")
struct CorpusTests {
  @Test("Every seed and every input that ever broke a target keeps the properties", arguments: FuzzTarget.allCases)
  func everyFile(target: FuzzTarget) throws {
    let seeds = try Corpus.seeds(of: target)
    try #require(!seeds.isEmpty, "a target has seeds")
    let input = try CurrentInput(of: target)
    for bytes in try seeds + Corpus.crashers(of: target) { try input.run(bytes) }
  }

  @Test("10,000 mutations of the seeds keep the properties", arguments: FuzzTarget.allCases)
  func mutations(target: FuzzTarget) throws {
    let seeds = try Corpus.seeds(of: target).filter { $0.count <= 1_024 }
    try #require(!seeds.isEmpty, "a target has small seeds")
    var mutator = Mutator(seeds: seeds, seed: 0x6D61_6461_6E67)
    let input = try CurrentInput(of: target)
    for _ in 0..<10_000 { try input.run(mutator.next()) }
  }

  @Test("Every folder of inputs belongs to a target")
  func foldersAreTargets() throws {
    let names = Set(FuzzTarget.allCases.map(\.rawValue))
    #expect(Set(try Corpus.folders(in: "Corpora")) == names)
    #expect(names.isSuperset(of: try Corpus.folders(in: "Crashers")))
  }
}
