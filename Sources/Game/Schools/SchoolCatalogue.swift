// All schools, found by identifier and by any part of their names. Immutable: whoever has it may ask it on any thread. A search
// walks all names once, in one contiguous buffer; it keeps no more of what it finds than a page.
// Decisions: 067 (docs/decisions).

/// The schools of the newest edition, and closed ones of those before, in a fixed order: by name, then by identifier.
package struct SchoolCatalogue: Sendable {
  /// A school's index here is how the rules name it as long as the server runs.
  package let schools: ContiguousArray<School>
  private let indices: [SchoolID: Int]
  /// The names as queries are compared with them, one behind the other.
  private let keys: ContiguousArray<UInt8>
  /// Where each school's key ends.
  private let keyEnds: ContiguousArray<Int>
  /// Each school's region, by its number.
  private let regions: ContiguousArray<Int>
  private let regionNumbers: [String: Int]

  /// A catalogue of schools in any order, each with an identifier of its own.
  package init(_ schools: some Sequence<School>) {
    let sorted = ContiguousArray(schools.sorted(by: Self.comesBefore))
    self.schools = sorted
    indices = Dictionary(sorted.enumerated().map { ($1.id, $0) }) { _, _ in
      preconditionFailure("each school has an identifier of its own")
    }
    var keys: ContiguousArray<UInt8> = []
    var keyEnds: ContiguousArray<Int> = []
    var regions: ContiguousArray<Int> = []
    var regionNumbers: [String: Int] = [:]
    for school in sorted {
      keys += SchoolQuery.key(of: school.name)
      keyEnds.append(keys.count)
      let next = regionNumbers.count
      let number = regionNumbers[school.region] ?? next
      regionNumbers[school.region] = number
      regions.append(number)
    }
    self.keys = keys
    self.keyEnds = keyEnds
    self.regions = regions
    self.regionNumbers = regionNumbers
  }

  private static func comesBefore(_ left: School, _ right: School) -> Bool {
    // Bytes of normal form C: the same order on every machine, and of Hangul the dictionary's.
    left.name == right.name ? left.id < right.id : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }

  package var count: Int { schools.count }

  package var closedSchools: Set<SchoolID> { Set(schools.lazy.filter(\.isClosed).map(\.id)) }

  /// Where a school is; nil for one that is not here.
  package func index(of id: SchoolID) -> Int? { indices[id] }

  /// Schools that a query finds: first those whose names begin with what was looked for, then the others, each in the
  /// catalogue's order. Nil when the cursor's school is not here.
  package func search(_ query: SchoolQuery, after cursor: SchoolCursor? = nil, limit: Int) -> SchoolPage? {
    precondition(limit > 0, "a page has rows")
    var start = (beginnings: 0, others: 0)
    if let cursor {
      guard let index = indices[cursor.school] else { return nil }
      start = cursor.isBeginning ? (index + 1, 0) : (count, index + 1)
    }
    var region: Int?
    if let name = query.region {
      guard let number = regionNumbers[name] else { return SchoolPage(indices: []) }
      region = number
    }
    // One more than there is room for, which tells whether anything comes behind.
    var beginnings: [Int] = []
    var others: [Int] = []
    forEachMatch(of: query.key) { index, isBeginning in
      guard region == nil || regions[index] == region, query.level == nil || schools[index].level == query.level,
        schools[index].isClosed == query.isClosed
      else { return }
      if isBeginning {
        if index >= start.beginnings, beginnings.count <= limit { beginnings.append(index) }
      } else {
        if index >= start.others, others.count <= limit { others.append(index) }
      }
    }
    let found = (beginnings + others).prefix(limit)
    guard found.count < beginnings.count + others.count, let last = found.last else {
      return SchoolPage(indices: Array(found))
    }
    let next = SchoolCursor(isBeginning: found.count <= beginnings.count, school: schools[last].id)
    return SchoolPage(indices: Array(found), next: next)
  }

  /// Hands over each school whose key has these bytes in it, in order, and whether it begins with them.
  private func forEachMatch(of bytes: [UInt8], _ body: (_ index: Int, _ isBeginning: Bool) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      keys.withUnsafeBufferPointer { keys in
        var start = 0
        for (index, end) in keyEnds.enumerated() {
          if let offset = Self.offset(of: bytes, in: UnsafeBufferPointer(rebasing: keys[start..<end])) {
            body(index, offset == 0)
          }
          start = end
        }
      }
    }
  }

  /// Where the first of two texts is first found in the second. Characters of UTF-8 are found at characters only.
  private static func offset(of bytes: UnsafeBufferPointer<UInt8>, in key: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = bytes.first else { return 0 }
    guard bytes.count <= key.count else { return nil }
    for offset in 0...(key.count - bytes.count) where key[offset] == first {
      var length = 1
      while length < bytes.count, key[offset + length] == bytes[length] { length += 1 }
      if length == bytes.count { return offset }
    }
    return nil
  }
}
