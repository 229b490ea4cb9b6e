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
        Takes the national CSV (in CP949 or UTF-8, detected automatically) or the JSON of career.go.kr's search, which has \
        one list each for elementary, middle and high schools. All files of one command are one edition of a country's list. \
        A school keeps its list's id. The lists of career.go.kr use the same numbers, so their ids have a letter for the list \
        before the number (H2072). The letter is E, M, H, S for special or O for other schools, by the most frequent level in \
        the list. An entry without a level gets it from its name, or else from the list.

        The edition updates names and addresses. A school that the edition lacks is closed, whatever list it came from; its \
        counts stay. A refused row leaves its school unchanged. If the id of a refused row is missing, no school is closed. \
        An edition that would close more than one in ten of the open schools may have been cut off, and changes nothing. \
        --allow-closing lifts both limits. A file with more than one refused row in ten changes nothing. Any list closes the \
        invented schools of a new server. Prints each row that changed or was refused. A server that runs on the folder with \
        --admin-port applies the edition itself, and its players go on. A server without it must be stopped meanwhile.
        """
    )

    @Argument(help: "The CSV and JSON files, all of one edition.")
    var files: [String]

    @Flag(
      help: """
        Close the schools that the edition lacks, even if they are more than one in ten of the open schools, or the id of a \
        refused row is missing.
        """
    )
    var allowClosing = false

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let list = try list()
      let opened = try folder.openOrFindServer()
      let store = opened.store
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
          command; to close the missing schools, give --allow-closing.
          """
        )
      }
      let applied = try opened.apply(update.edition, over: before)
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
