// `madang fences`: the operators' fences, their import and their removal.
import ArgumentParser
import Foundation
import Game
import Store

package struct Fences: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Import, list and remove fences: places whose entering, leaving and dwelling players are told.",
    subcommands: [Import.self, List.self, Remove.self]
  )

  package init() {}
}

extension Fences {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Import the features of a GeoJSON file as fences.",
      discussion: """
        Takes every Point with its radius in metres as the property radiusM (5 to 50000), and every Polygon and \
        MultiPolygon without holes (up to 1000 corners, within 100 km). Further properties: name, which each needs; \
        topic; dwellS, the seconds of a stay after which it is told (1 to 86400); opensAt and closesAt, times like \
        2026-11-21T09:00:00+09:00. A fence is known by the id of its feature, without one by its name: to import one \
        again changes nothing, and a changed one replaces the one before. Others stay. A MultiPolygon with a polygon \
        that is no fence is refused whole. Prints what became of each. The exit code is 1 when nothing was taken and \
        nothing was there already, and 3 when some were refused. A large file is taken in several commits: where the \
        import ends in between, a repeat completes it. A server that runs on the folder with \
        --admin-port imports them itself, and players who watch places find them at once. A server without it must be \
        stopped meanwhile. Each import is in the audit log.
        """
    )

    @Argument(help: "The GeoJSON file.")
    var file: String

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let offers = try offers()
      let list = try folder.openOrFindServer()
      defer { list.store.close() }
      let known = try KnownFences(in: list.store)
      try known.check(offers.compactMap { try? $0.fence.get() })
      var counts = (added: 0, replaced: 0, unchanged: 0, refused: 0)
      for part in FenceParts(offers) {
        try await list.add(part.compactMap { try? $0.fence.get() })
        for offer in part {
          switch offer.fence {
          case .success(let fence):
            switch known.difference(fence) {
            case .added:
              counts.added += 1
              print("added      \(fence.line)")
            case .replaced:
              counts.replaced += 1
              print("replaced   \(fence.line)")
            case .unchanged:
              counts.unchanged += 1
              print("unchanged  \(fence.line)")
            }
          case .failure(let refusal):
            counts.refused += 1
            print("refused    \(offer.title): \(refusal)")
          }
        }
      }
      print(
        "\(counts.added) added, \(counts.replaced) replaced, \(counts.unchanged) unchanged, \(counts.refused) refused"
      )
      if counts.added + counts.replaced + counts.unchanged == 0 { throw ExitCode(1) }
      if counts.refused > 0 { throw Self.someRefused }
    }

    private static let someRefused = ExitCode(3)

    private func offers() throws -> [FenceOffer] {
      let bytes: [UInt8]
      do throws(InputFile.Failure) {
        bytes = try InputFile.bytes(of: file)
      } catch {
        throw ValidationError("can't read \(file): \(error).")
      }
      do throws(GeoJSON.Fault) {
        return try FenceOffer.all(inGeoJSON: Data(bytes))
      } catch {
        throw ValidationError("\(file) is no GeoJSON: \(error.reason).")
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all fences, by identifier.",
      discussion: "Works beside a running server."
    )

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let store = try folder.open()
      defer { store.close() }
      try store.fences { print($0.line) }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove fences.",
      discussion: """
        Players who are in one are told nothing more of it. The exit code is 1 when none of them was there. A server \
        that runs on the folder with --admin-port removes them itself; one without it must be stopped meanwhile. It is \
        in the audit log.
        """
    )

    @Argument(help: "The identifiers, as madang fences list has them.")
    var ids: [String]

    @OptionGroup var folder: WritableStoreFolder

    /// The most fences of one message to a server.
    private static let idsMax = 5_000

    func run() async throws {
      let ids = try ids.map { text in
        guard let id = FenceID(text) else {
          throw ValidationError(
            "\(text.printable) names no fence: 32 hexadecimal digits; see madang fences list."
          )
        }
        return id
      }
      let list = try folder.openOrFindServer()
      defer { list.store.close() }
      var lines: [FenceID: String] = [:]
      try list.store.fences { lines[$0.id] = $0.line }
      var rest = Set(ids).filter { lines[$0] != nil }.sorted()[...]
      while !rest.isEmpty {
        let part = rest.prefix(Self.idsMax)
        try await list.remove(Array(part))
        for id in part { print("removed    \(lines[id] ?? "\(id)")") }
        rest = rest.dropFirst(part.count)
      }
      for id in Set(ids).sorted() where lines[id] == nil { print("not there  \(id)") }
      if Set(ids).isDisjoint(with: lines.keys) { throw ExitCode(1) }
    }
  }
}

extension Fence {
  fileprivate var line: String {
    let shapeText: String
    switch shape {
    case .circle(let circle):
      let (lat, lng) = circle.center.degrees
      shapeText = "\(Self.meters(circle.radiusMm)) m around \(lat) \(lng)"
    case .polygon(let polygon):
      let corners = polygon.corners
      let (lat, lng) = corners[0].degrees
      shapeText = "\(corners.count) corners, at \(lat) \(lng)"
    }
    let parts = [
      topic.isEmpty ? nil : "topic \(topic.printable(Self.topicBytesMax))",
      dwellS.map { "dwelling \($0) s" },
      opensAt.map { "from \($0.utc)" },
      closesAt.map { "until \($0.utc)" },
    ]
    return (["\(id)", shapeText] + parts.compactMap(\.self) + [name.printable(Self.nameBytesMax)])
      .joined(separator: "  ")
  }

  /// Metres with up to three decimals.
  private static func meters(_ mm: Int64) -> String {
    let (whole, rest) = mm.quotientAndRemainder(dividingBy: 1_000)
    guard rest > 0 else { return "\(whole)" }
    var digits = String(String(1_000 + rest).dropFirst())
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

extension StoredFence {
  fileprivate var line: String {
    do throws(JournalFault) {
      return try Fence(encoded: bytes).line
    } catch {
      return "\(id)  can't be read: \(error)"
    }
  }
}
