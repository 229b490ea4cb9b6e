// What somebody looks for among schools, and the form in which it is compared with their names. Values.

/// A question to the catalogue: part of a name, and what the school must be.
package struct SchoolQuery: Sendable {
  let key: [UInt8]
  let region: String?
  let level: SchoolLevel?
  let isClosed: Bool

  /// Open schools, or closed ones, with `text` anywhere in their names; an empty one is in all of them. With a region or a level,
  /// only those of exactly this one.
  package init(_ text: String, region: String? = nil, level: SchoolLevel? = nil, isClosed: Bool = false) {
    key = Self.key(of: text)
    self.region = region?.normalFormC
    self.level = level
    self.isClosed = isClosed
  }

  /// The form in which names and queries are compared, as UTF-8: no white space, normal form C, and ASCII letters without
  /// case. What is part of another text is part of its bytes.
  static func key(of text: String) -> [UInt8] {
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.unicodeScalars.filter { !$0.properties.isWhitespace })
    return String(kept).normalFormC.utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
  }
}

/// A place in what a query finds: behind this school.
package struct SchoolCursor: Hashable, Sendable {
  /// Whether the school's name begins with what was looked for: those come first.
  package var isBeginning: Bool
  package var school: SchoolID

  package init(isBeginning: Bool, school: SchoolID) {
    self.isBeginning = isBeginning
    self.school = school
  }
}

/// A part of what a query finds.
package struct SchoolPage: Hashable, Sendable {
  /// Places in the catalogue.
  package var indices: [Int]
  /// Nil when nothing comes behind.
  package var next: SchoolCursor?
}
