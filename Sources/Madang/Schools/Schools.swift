// `madang schools`: the list of schools, how a newer edition of it comes in, and what is in it.
import ArgumentParser
import Game
import Store

struct Schools: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import and list the schools of the school contest.",
    subcommands: [Import.self, List.self]
  )
}

extension Schools {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Import a newer edition of the list of schools.",
      discussion: """
        Takes the national CSV (in CP949 or UTF-8, told apart by itself) or the JSON of career.go.kr's search. A school is \
        known by its list's own id: the edition brings names and addresses up to date, and schools that it lacks are \
        closed, whatever list they came from; what was counted for them stays. A row that is refused leaves its school as it \
        was; where one does not say whose it is, no school is closed, unless --allow-closing is given. An edition of which \
        more than one row in ten is refused changes nothing; nor does one that would close more than one in ten of the \
        schools that are open, for it may have been cut off, unless --allow-closing is given. The invented schools of a new \
        server are closed by any list. Prints what became of each row that is not as it was. The server must be stopped \
        meanwhile.
        """
    )

    @Argument(help: "The CSV or JSON file.")
    var file: String

    @Flag(
      help: """
        Close what the edition lacks, though that is more than one in ten of the open schools, or a refused row does not say \
        whose it is.
        """
    )
    var allowClosing = false

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let list: SchoolList
      do {
        list = try SchoolList(InputFile.bytes(of: file))
        do {
          _ = try list.edition()
        } catch {
          list.printRefusals()
          throw error
        }
      } catch let error as SchoolList.Unfit {
        throw ValidationError("\(file) is no list of schools: \(error.reason). Nothing has changed.")
      } catch let error as InputFile.Failure {
        throw ValidationError("can't read \(file): \(error).")
      }
      let store = try await folder.open()
      defer { store.close() }
      let update = try SchoolUpdate(
        list,
        over: try store.schools(),
        invented: Set(SampleSchools.all.map(\.id)),
        allowsClosing: allowClosing
      )
      // A list that was cut off behind a whole line looks like any other.
      guard !update.closesTooMany else {
        throw ValidationError(
          """
          \(file) would close \(update.closing.count) of the \(update.openCount) schools that are open, more than one in ten. \
          Nothing has changed; with --allow-closing it will.
          """
        )
      }
      let applied = try store.applySchools(update.edition, at: .now)
      report(applied, of: list, now: SchoolCatalogue(try store.schools()))
      list.printRefusals()
      report(update, of: list)
      let counts = "\(applied.added.count) added, \(applied.changed.count) changed, \(applied.closed.count) closed"
      print("\(counts), \(list.refusedCount) refused of \(list.offers.count) rows")
    }

    private func report(_ update: SchoolUpdate, of list: SchoolList) {
      for school in update.kept {
        print("kept     \(list.refusedPlaces[school.id] ?? "refused"): \(school.line)")
      }
      guard update.withholdsClosing, !update.closing.isEmpty else { return }
      print(
        """
        kept     \(update.closing.count) open schools are not in the list or closed there, and stay open, for a refused row \
        does not say whose it is; with --allow-closing they are closed
        """
      )
    }

    private func report(_ applied: SchoolEdition, of list: SchoolList, now catalogue: SchoolCatalogue) {
      var places: [SchoolID: String] = [:]
      for offer in list.offers { if let school = try? offer.school.get() { places[school.id] = offer.place } }
      for (outcome, schools) in [
        ("added  ", applied.added), ("changed", applied.changed), ("closed ", applied.closed),
      ] {
        for id in schools {
          guard let index = catalogue.index(of: id) else { preconditionFailure("what was written is there") }
          print("\(outcome)  \(places[id] ?? "not in the list"): \(catalogue.schools[index].line)")
        }
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the schools that are open, or those of them that players find by a part of their name."
    )

    @Argument(help: "A part of the name.")
    var query: String?

    @Option(help: "Only those of this region, as the list has it.")
    var region: String?

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let store = try await folder.open()
      defer { store.close() }
      let catalogue = SchoolCatalogue(try store.schools())
      let query = SchoolQuery(query ?? "", region: region)
      for index in catalogue.search(query, limit: catalogue.count + 1)?.indices ?? [] {
        print(catalogue.schools[index].line)
      }
    }
  }
}

extension SchoolList {
  fileprivate var refusedCount: Int { offers.count { (try? $0.school.get()) == nil } }

  fileprivate func printRefusals() {
    for offer in offers {
      guard case .failure(let refusal) = offer.school else { continue }
      print("refused  \(offer.place): \(refusal)")
    }
  }
}

extension School {
  fileprivate var line: String {
    [id.description, name, level.word, region, address].filter { !$0.isEmpty }.joined(separator: "  ")
  }
}
