// `madang-bench schools`: the search for schools by a part of their name, among all of a country.
import ArgumentParser
import Game
import SeededRandom
import Store

struct Schools: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the search for schools.",
    discussion: """
      Schools of the folder's store, or as many invented ones. Each kind of query is asked many times, with and without a \
      region, for a page of 20.
      """
  )

  @Option(help: "The number of invented schools.")
  var schools = 12_011

  @Option(help: "The folder of a store with an imported list, instead of invented ones.")
  var data: String?

  @Option(help: "The number of searches of each kind.")
  var searches = 10_000

  func validate() throws {
    guard (1...1_000_000).contains(schools), (1...1_000_000).contains(searches) else {
      throw ValidationError("--schools and --searches must be 1 to 1000000.")
    }
  }

  func run() throws {
    let all = try data.map { try SQLiteStore(folder: $0, isReadOnly: true).schools() } ?? Self.invented(schools)
    guard !all.isEmpty else { throw BenchFailure(description: "there are no schools") }
    var building = CPUTimes()
    for _ in 0..<5 { building.measure { _ = SchoolCatalogue(all) } }
    let catalogue = SchoolCatalogue(all)
    print("\(catalogue.count) schools, a catalogue of them made in \(building.milliseconds(50).fixed(1)) ms of CPU\n")
    var random = SplitMix64(seed: 6)
    var table = Table(["what is looked for"] + CPUTimes.header + ["found, mean"])
    let whole = (0..<1_000).map { _ in random.pick(all[...]).name }
    func parts(_ length: Int) -> [String] {
      whole.map { name in
        let start = random.draw(0...max(0, name.count - length))
        return String(name.dropFirst(start).prefix(length))
      }
    }
    let kinds: [(String, [String])] = [
      ("nothing", [""]), ("one character of a name", parts(1)), ("two", parts(2)), ("three", parts(3)),
      ("a whole name", whole), ("초등학교, in half of them", ["초등학교"]), ("what no name has", ["가갸거겨고교"]),
      // Every beginning of a match is tried.
      ("what nearly every name has", ["초등학교교"]), ("the longest query", [String(repeating: "등", count: 333)]),
    ]
    for (name, queries) in kinds {
      for isInRegion in [false, true] {
        var times = CPUTimes()
        var found = 0
        for number in 0..<searches {
          let text = queries[number % queries.count]
          let region = isInRegion ? random.pick(all[...]).region : nil
          times.measure {
            found += catalogue.search(SchoolQuery(text, region: region), limit: 20)?.indices.count ?? 0
          }
        }
        let mean = Double(found) / Double(searches)
        table.add([name + (isInRegion ? ", in a region" : "")] + times.cells + [mean.fixed(1)])
      }
    }
    print(table.text)
  }

  /// Names of two to five syllables with the word of their level behind, as a country's names are.
  private static func invented(_ count: Int) throws -> [School] {
    var random = SplitMix64(seed: 5)
    let syllables = Array("가강경고관광구금기남내대덕도동마명문미백봉부북산삼상서석선성수숭신안양연영옥용원월은인일장전정제중진창천청태평포하한해현호화흥")
    let levels: [(SchoolLevel, String)] = [(.elementary, "초등학교"), (.middle, "중학교"), (.high, "고등학교")]
    return try (0..<count).map { number in
      let (level, word) = random.pick(levels[...])
      let name = String((0..<random.draw(2...5)).map { _ in random.pick(syllables[...]) }) + word
      guard let id = SchoolID("B\(number)") else { throw BenchFailure(description: "no identifier: \(number)") }
      return try School(id: id, name: name, level: level, region: "region \(random.draw(1...17))", address: "")
    }
  }
}
