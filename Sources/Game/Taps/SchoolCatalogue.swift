// All schools, found by identifier and by any part of their names. Immutable: any thread may ask it. A search walks all
// names once, in one contiguous buffer, and keeps at most a page of results.
// Decisions: 067 (docs/decisions).

/// The schools of the newest edition, and closed ones of those before, in a fixed order: by name, then by identifier.
package struct SchoolCatalogue: Sendable {
  /// The schools; a school's index is its name in this catalogue alone.
  package let schools: ContiguousArray<School>
  private let indices: [SchoolID: Int]
  /// The names in the form that queries are compared with, consecutively.
  private let keys: ContiguousArray<UInt8>
  /// The end of each school's key.
  private let keyEnds: ContiguousArray<Int>
  /// The number of each school's region.
  private let regions: ContiguousArray<Int>
  private let regionNumbers: [String: Int]

  /// A catalogue of schools in any order, each with an identifier of its own.
  package init(_ schools: some Sequence<School>) {
    let sorted = ContiguousArray(schools.sorted(by: Self.comesBefore))
    self.schools = sorted
    indices = Dictionary(sorted.enumerated().map { ($1.id, $0) }) { _, _ in
      preconditionFailure("identifiers of schools are unique")
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
    // Bytes of normal form C: the same order on every machine, and for Hangul the dictionary's.
    left.name == right.name ? left.id < right.id : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }

  /// The catalogue with these schools as they are now; new ones come in.
  package func updated(by rows: [School]) -> SchoolCatalogue {
    var known = Dictionary(uniqueKeysWithValues: schools.map { ($0.id, $0) })
    for school in rows { known[school.id] = school }
    return SchoolCatalogue(known.values)
  }

  package var count: Int { schools.count }

  package var closedSchools: Set<SchoolID> { Set(schools.lazy.filter(\.isClosed).map(\.id)) }

  /// The index of a school; nil for an unknown one.
  package func index(of id: SchoolID) -> Int? { indices[id] }

  /// A school; nil for an unknown one.
  package func school(_ id: SchoolID) -> School? { index(of: id).map { schools[$0] } }

  /// The schools that a query finds: first those whose names begin with the text, then the others, each in the
  /// catalogue's order. Nil when the cursor's school is unknown.
  package func search(_ query: SchoolQuery, after cursor: SchoolCursor? = nil, limit: Int) -> SchoolPage? {
    precondition(limit > 0, "the limit of a page is positive")
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
    // One more than the limit, which shows whether more follow.
    var beginnings: [Int] = []
    var others: [Int] = []
    forEachMatch(of: query.key) { index, isBeginning in
      guard region == nil || regions[index] == region, query.level == nil || schools[index].level == query.level,
        query.isClosed == nil || schools[index].isClosed == query.isClosed
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

  /// Calls `body` with each school whose key contains these bytes, in order, and whether it begins with them.
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

  /// The offset of the first text's first occurrence in the second. UTF-8 matches only at character boundaries.
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
