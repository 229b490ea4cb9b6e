// A search for schools, and the form in which its text is compared with their names. Values.

/// A query to the catalogue: part of a name, and filters.
package struct SchoolQuery: Sendable {
  let key: [UInt8]
  let region: String?
  let level: SchoolLevel?
  let isClosed: Bool?

  /// Finds open schools, closed ones, or both (nil), with `text` anywhere in their names; an empty text matches all. A
  /// region or a level restricts the result to exactly that one.
  package init(_ text: String, region: String? = nil, level: SchoolLevel? = nil, isClosed: Bool? = false) {
    key = Self.key(of: text)
    self.region = region?.normalFormC
    self.level = level
    self.isClosed = isClosed
  }

  /// The form in which names and queries are compared, as UTF-8: no white space, normal form C, and ASCII letters
  /// without case. A part of a text is a part of its bytes.
  static func key(of text: String) -> [UInt8] {
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.unicodeScalars.filter { !$0.properties.isWhitespace })
    return String(kept).normalFormC.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
  }
}

/// A position in the results of a query: after this school.
package struct SchoolCursor: Hashable, Sendable {
  /// Whether the school's name begins with the text: those come first.
  package var isBeginning: Bool
  package var school: SchoolID

  package init(isBeginning: Bool, school: SchoolID) {
    self.isBeginning = isBeginning
    self.school = school
  }
}

/// A page of the results of a query.
package struct SchoolPage: Hashable, Sendable {
  /// Indices in the catalogue.
  package var indices: [Int]
  /// The cursor of the next page; nil on the last one.
  package var next: SchoolCursor?
}
