// A file of a list of schools: the national CSV (https://www.data.go.kr, 전국초중등학교위치표준데이터) or an answer of career.go.kr's
// search. A value. The first character tells which of the two it is.

package struct SchoolFile {
  /// The file's name for the operator.
  package let name: String
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The file's rows, in order.
  ///
  /// - Throws: `Unfit` when it is neither of the two.
  func offers() throws(SchoolList.Unfit) -> [SchoolOffer] {
    let text: FileText
    do throws(FileText.Fault) {
      text = try FileText(bytes)
    } catch {
      throw unfit(error.description)
    }
    switch text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }) {
    case nil: throw unfit("it is empty")
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try searchOffers(text)
    default: return try nationalOffers(text)
    }
  }

  func unfit(_ reason: String) -> SchoolList.Unfit {
    SchoolList.Unfit(file: name, reason: reason)
  }
}
