// Made-up lists of schools for tests.
import Commands

extension SchoolList {
  static let header = "학교ID,학교명,학교급구분,운영상태,소재지지번주소,소재지도로명주소,시도교육청명"

  /// A list in one file.
  init(_ bytes: [UInt8]) throws(Unfit) {
    try self.init([SchoolFile(name: "list", bytes: bytes)])
  }

  /// The national list with these rows.
  static func national(_ rows: [String]) throws(Unfit) -> SchoolList {
    try SchoolList([.national("list", rows)])
  }

  /// A list of career.go.kr with these entries.
  static func search(_ entries: String...) throws(Unfit) -> SchoolList {
    try SchoolList([.search("list", entries)])
  }
}

extension SchoolFile {
  static func national(_ name: String, _ rows: [String]) -> SchoolFile {
    SchoolFile(name: name, bytes: Array(([SchoolList.header] + rows).joined(separator: "\n").utf8))
  }

  static func search(_ name: String, _ entries: [String]) -> SchoolFile {
    SchoolFile(name: name, bytes: Array(#"{"dataSearch":{"content":[\#(entries.joined(separator: ","))]}}"#.utf8))
  }
}
