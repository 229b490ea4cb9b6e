// A list of schools, in one or several files that form one edition together. A value with the files' rows; `edition()`
// decides whether it may become the newest edition.
// Decisions: 065 (docs/decisions).
import Game

package struct SchoolList {
  /// The rows of all files, in order.
  package private(set) var offers: [SchoolOffer] = []
  private var files: [(name: String, rows: Range<Int>)] = []

  /// The reason why a file is no list of schools, or none that may be applied.
  package struct Unfit: Error {
    package let file: String
    package let reason: String
  }

  /// Reads at least one file; with several, places name their files.
  ///
  /// - Throws: `Unfit` when one of them is no list.
  package init(_ files: [SchoolFile]) throws(Unfit) {
    precondition(!files.isEmpty, "a list has at least one file")
    for file in files {
      let start = offers.count
      for var offer in try file.offers() {
        if files.count > 1 { offer.place = "\(file.name) \(offer.place)" }
        offers.append(offer)
      }
      self.files.append((file.name, start..<offers.count))
    }
    refuseRepeated()
  }

  /// The schools of the list, if it may be applied.
  ///
  /// - Throws: `Unfit` when a file has none, or when more than one row in ten of a file is refused: then the file is
  ///   faulty, and schools that it lacks must not be closed. The rule applies to each file, and so to all together.
  package func edition() throws(Unfit) -> [School] {
    for (name, rows) in files {
      guard !rows.isEmpty else { throw Unfit(file: name, reason: "it has no schools") }
      let refusals = offers[rows].compactMap(\.refusal)
      guard 10 * refusals.count <= rows.count else {
        let repeated = refusals.count { if case .repeated = $0 { true } else { false } }
        let why = repeated > 0 ? "; \(repeated) of them have the id of a row before them" : ""
        throw Unfit(
          file: name,
          reason: "\(refusals.count) of its \(rows.count) rows are refused, more than one in ten\(why)"
        )
      }
    }
    return offers.compactMap { try? $0.school.get() }
  }

  /// The places of refused rows, by the rows' schools.
  package var refusedPlaces: [SchoolID: String] {
    Dictionary(refused.compactMap { offer in offer.id.map { ($0, offer.place) } }) { first, _ in first }
  }

  /// Whether a refused row does not name its school.
  package var hasRefusedUnknown: Bool { refused.contains { $0.id == nil } }

  private var refused: some Sequence<SchoolOffer> { offers.lazy.filter { $0.refusal != nil } }

  private mutating func refuseRepeated() {
    var places: [SchoolID: String] = [:]
    for (index, offer) in offers.enumerated() {
      guard case .success(let school) = offer.school else { continue }
      if let first = places[school.id] {
        offers[index] = SchoolOffer(
          place: offer.place,
          of: school.id,
          refusal: .repeated(school.id, first: first)
        )
      } else {
        places[school.id] = offer.place
      }
    }
  }
}
