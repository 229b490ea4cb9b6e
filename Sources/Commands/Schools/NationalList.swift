// The national list of schools in a file: comma-separated values whose first line names the columns, in any order.
// Pure.
import Foundation
import Game

extension SchoolFile {
  /// The columns, by their names in the header.
  private enum Column {
    static let id = "학교ID"
    static let name = "학교명"
    static let level = "학교급구분"
    static let state = "운영상태"
    static let region = "시도교육청명"
    static let roadAddress = "소재지도로명주소"
    static let lotAddress = "소재지지번주소"
    /// The required columns. The state is one: a school without a state must not be taken for open.
    static let needed = [id, name, level, state, region]
    static let all = needed + [roadAddress, lotAddress]
  }

  /// - Throws: `Unfit` when the first line is no header.
  func nationalOffers(_ text: FileText) throws(SchoolList.Unfit) -> [SchoolOffer] {
    var reader = CSVReader(text)
    var columns: [String: Int] = [:]
    if case .success(let header)? = reader.next()?.fields {
      for (index, name) in header.enumerated() {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        let isFirst = columns.updateValue(index, forKey: name) == nil
        guard isFirst || !Column.all.contains(name) else { throw unfit("its header has the column \(name) twice") }
      }
      reader.fieldCount = header.count
    }
    let missing = Column.needed.filter { columns[$0] == nil }
    guard missing.isEmpty else {
      let encoding = text.isCP949 ? " (read as CP949, for it is no UTF-8)" : ""
      throw unfit("its first line\(encoding) is no header with \(missing.joined(separator: ", "))")
    }
    var offers: [SchoolOffer] = []
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
        offers.append(SchoolOffer(place: place, texts, level: SchoolLevel(word: texts.level)))
      }
    }
    return offers
  }
}
