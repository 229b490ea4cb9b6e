// `madang schools`: the list of schools, the import of newer editions, and its contents.
import ArgumentParser
import Game
import Store

package struct Schools: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Import and list the schools of the school contest.",
    subcommands: [Import.self, List.self]
  )

  package init() {}
}

extension Schools {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Import a newer edition of the list of schools.",
      discussion: """
        Takes the national CSV (in CP949 or UTF-8, told apart by itself) or the JSON of career.go.kr's search, which gives \
        elementary, middle and high schools as a list each. All files are one edition: lists that make up a country's are \
        imported by one command. A school is known by its list's own id; as career.go.kr's lists number their schools alike, \
        each for itself, theirs is a letter for the list and the number (E, M, H, S for special, O for other schools, by what \
        most of the list's schools are: H2072). Where an entry does not tell its level, its name does, or else what most of \
        its list are.

        The edition brings names and addresses up to date, and schools that it lacks are closed, whatever list they came \
        from; what was counted for them stays. A row that is refused leaves its school as it was; where one does not say \
        whose it is, no school is closed, unless --allow-closing is given. An edition with a file of which more than one row \
        in ten is refused changes nothing; nor does one that would close more than one in ten of the schools that are open, \
        for it may have been cut off, unless --allow-closing is given. The invented schools of a new server are closed by any \
        list. Prints what became of each row that is not as it was. The server must be stopped meanwhile.
        """
    )

    @Argument(help: "The CSV and JSON files, all of one edition.")
    var files: [String]

    @Flag(
      help: """
        Close what the edition lacks, though that is more than one in ten of the open schools, or a refused row does not say \
        whose it is.
        """
    )
    var allowClosing = false

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let list = try list()
      let store = try folder.open()
      defer { store.close() }
      let before = try store.schools()
      let update = try SchoolUpdate(
        list,
        over: before,
        invented: Set(SampleSchools.all.map(\.id)),
        allowsClosing: allowClosing
      )
      // A list cut off behind a whole line looks like any other, and so does one of several files.
      guard !update.closesTooMany else {
        throw ValidationError(
          """
          \(titles.joined(separator: ", ")) would close \(update.closing.count) of the \(update.openCount) schools that are \
          open, more than one in ten. Nothing has changed. If a country's list is in several files, import all of them by one \
          command; if what is missing is to be closed, give --allow-closing.
          """
        )
      }
      let applied = try store.applySchools(update.edition, at: .now)
      for line in SchoolReport(of: list, update, applied, before: before, after: try store.schools()).lines {
        print(line)
      }
    }

    /// The list of the given files, fit to be applied.
    private func list() throws -> SchoolList {
      let contents = try zip(files, titles).map { file, title in
        do throws(InputFile.Failure) {
          return SchoolFile(name: title, bytes: try InputFile.bytes(of: file))
        } catch {
          throw ValidationError("can't read \(file.printable(.max)): \(error).")
        }
      }
      do throws(SchoolList.Unfit) {
        let list = try SchoolList(contents)
        do throws(SchoolList.Unfit) {
          _ = try list.edition()
        } catch {
          for line in list.refusalLines { print(line) }
          throw error
        }
        return list
      } catch {
        throw ValidationError("\(error.file) is no list of schools: \(error.reason). Nothing has changed.")
      }
    }

    /// The files' titles: their names, or their paths where names are not unique.
    private var titles: [String] {
      let paths = files.map { $0.printable(.max) }
      let names = paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      return Set(names).count == names.count ? names : paths
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

    @Flag(help: "The closed schools instead of the open ones.")
    var closed = false

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let store = try folder.open()
      defer { store.close() }
      let catalogue = SchoolCatalogue(try store.schools())
      let query = SchoolQuery(query ?? "", region: region, isClosed: closed)
      for index in catalogue.search(query, limit: catalogue.count + 1)?.indices ?? [] {
        print(catalogue.schools[index].line)
      }
    }
  }
}
