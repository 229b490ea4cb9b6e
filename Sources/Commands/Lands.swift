// `madang lands`: the list of lands and their import.
import ArgumentParser
import Foundation
import Game
import Store

package struct Lands: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Import and list the lands of land mode, and decide about those that players propose.",
    subcommands: [Import.self, List.self, Proposals.self, Accept.self, Decline.self]
  )

  package init() {}
}

extension Lands {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Import the polygons of a GeoJSON file as lands.",
      discussion: """
        Takes every Polygon and MultiPolygon that has a name. A ring must be closed, must not cross or touch itself, and be \
        at least 40 m around; it is densified to vertices at most 8 m apart. A land is known by its vertices: to import \
        one again changes nothing. Prints what became of each. The exit code is 1 when nothing was taken and nothing was \
        there already. A server that runs on the folder with --admin-port imports them itself: players find them at once, \
        and games that run keep the lands that they began with. A server without it must be stopped meanwhile.
        """
    )

    @Argument(help: "The GeoJSON file.")
    var file: String

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let offers: [LandOffer]
      do {
        offers = try LandOffer.all(inGeoJSON: Data(contentsOf: URL(filePath: file)))
      } catch let error as GeoJSON.Fault {
        throw ValidationError("\(file) is no GeoJSON: \(error.reason).")
      } catch {
        throw ValidationError("can't read \(file): \(error.localizedDescription)")
      }
      let list = try folder.openOrFindServer()
      defer { list.store.close() }
      var counts = (added: 0, known: 0, refused: 0)
      for part in LandParts(offers) {
        var areNew = try await list.add(part.filter { !$0.ring.isEmpty })[...]
        for offer in part {
          switch offer.land {
          case .success(let land):
            let isNew = areNew.removeFirst()
            if isNew { counts.added += 1 } else { counts.known += 1 }
            // A known land keeps its first name.
            print(isNew ? "added    \(land.line)" : "known    \(land.id)  \(offer.title)")
          case .failure(let refusal):
            counts.refused += 1
            print("refused  \(offer.title): \(refusal)")
          }
        }
      }
      print("\(counts.added) added, \(counts.known) there already, \(counts.refused) refused")
      if counts.added + counts.known == 0 { throw ExitCode(1) }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List all lands, in the order in which they came in.")

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let store = try folder.open()
      defer { store.close() }
      try store.allLands { print($0.line) }
    }
  }
}

extension Land {
  fileprivate var line: String {
    let (lat, lng) = vertices[0].degrees
    return "\(id)  \(lengthMm / 1_000) m, \(vertices.count) vertices, at \(lat) \(lng)  \(name)"
  }
}
