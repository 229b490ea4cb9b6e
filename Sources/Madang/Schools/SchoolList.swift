// A file with a list of schools: the national CSV (https://www.data.go.kr, 전국초중등학교위치표준데이터) or the answer of
// career.go.kr's search. Reads what the file says; whether it may become the newest edition is asked at the end.
import Foundation
import Game

package struct SchoolList {
  package private(set) var offers: [SchoolOffer] = []

  /// Why a file is no list of schools, or none that may be applied.
  package struct Unfit: Error {
    package let reason: String
  }

  /// - Throws: `Unfit` when it is neither of the two.
  package init(_ bytes: [UInt8]) throws(Unfit) {
    let text: FileText
    do throws(FileText.Fault) {
      text = try FileText(bytes)
    } catch {
      throw Unfit(reason: error.description)
    }
    switch text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }) {
    case nil: throw Unfit(reason: "it is empty")
    case UInt8(ascii: "{"), UInt8(ascii: "["): try readJSON(text)
    default: try readCSV(text)
    }
    refuseRepeated()
  }

  /// The schools of the list.
  ///
  /// - Throws: `Unfit` when there are none, or when more than one row in ten is refused: then something is wrong with the
  ///   file, and what it lacks must not be closed.
  package func edition() throws(Unfit) -> [School] {
    let schools = offers.compactMap { try? $0.school.get() }
    let refused = offers.count - schools.count
    guard !offers.isEmpty else { throw Unfit(reason: "it has no schools") }
    guard 10 * refused <= offers.count else {
      throw Unfit(reason: "\(refused) of its \(offers.count) rows are refused, more than one in ten")
    }
    return schools
  }

  /// Where rows that were refused are, by whose they are.
  package var refusedPlaces: [SchoolID: String] {
    Dictionary(refused.compactMap { offer in offer.id.map { ($0, offer.place) } }) { first, _ in first }
  }

  /// A row was refused that does not say whose it is.
  package var hasRefusedUnknown: Bool { refused.contains { $0.id == nil } }

  private var refused: some Sequence<SchoolOffer> { offers.lazy.filter { (try? $0.school.get()) == nil } }

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

extension SchoolList {
  /// The columns of the CSV, by their names in the header.
  private enum Column {
    static let id = "학교ID"
    static let name = "학교명"
    static let level = "학교급구분"
    static let region = "시도교육청명"
    static let state = "운영상태"
    static let roadAddress = "소재지도로명주소"
    static let lotAddress = "소재지지번주소"
    static let needed = [id, name, level, region]
  }

  private mutating func readCSV(_ text: FileText) throws(Unfit) {
    var reader = CSVReader(text)
    var columns: [String: Int] = [:]
    if case .success(let header)? = reader.next()?.fields {
      for (index, name) in header.enumerated() { columns[name.trimmingCharacters(in: .whitespacesAndNewlines)] = index }
      reader.fieldCount = header.count
    }
    let missing = Column.needed.filter { columns[$0] == nil }
    guard missing.isEmpty else {
      let encoding = text.isCP949 ? " (read as CP949, for it is no UTF-8)" : ""
      throw Unfit(reason: "its first line\(encoding) is no header with \(missing.joined(separator: ", "))")
    }
    while let row = reader.next() {
      let place = "line \(row.line)"
      switch row.fields {
      case .failure(let fault): offers.append(SchoolOffer(place: place, refusal: .broken("\(fault)")))
      case .success(let fields):
        func text(_ column: String) -> String { columns[column].map { fields[$0] } ?? "" }
        let road = text(Column.roadAddress)
        let texts = SchoolOffer.Texts(
          id: text(Column.id),
          name: text(Column.name),
          level: text(Column.level),
          region: text(Column.region),
          address: road.isEmpty ? text(Column.lotAddress) : road,
          state: text(Column.state)
        )
        offers.append(SchoolOffer(place: place, texts))
      }
    }
  }

  private mutating func readJSON(_ text: FileText) throws(Unfit) {
    let root: Any
    do {
      root = try JSONSerialization.jsonObject(with: Data(text.utf8))
    } catch {
      throw Unfit(reason: "it is not JSON")
    }
    guard let search = (root as? [String: Any])?["dataSearch"] as? [String: Any],
      let content = search["content"] as? [Any]
    else { throw Unfit(reason: "it has no dataSearch.content") }
    for (index, entry) in content.enumerated() {
      let place = "entry \(index + 1)"
      guard let entry = entry as? [String: Any] else {
        offers.append(SchoolOffer(place: place, refusal: .broken("no object")))
        continue
      }
      func text(_ key: String) -> String { entry[key] as? String ?? "" }
      let texts = SchoolOffer.Texts(
        // A number in some answers.
        id: entry["seq"] as? String ?? (entry["seq"] as? Int).map { "\($0)" } ?? "",
        name: text("schoolName"),
        level: text("schoolGubun"),
        region: text("region"),
        address: text("adres")
      )
      offers.append(SchoolOffer(place: place, texts))
    }
  }
}
