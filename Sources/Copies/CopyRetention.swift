// Which generations a copy keeps. Pure.

/// A generation as its files show it.
package struct StoredGeneration: Hashable, Sendable {
  package let id: String
  package let files: [String]

  package init(_ id: String, files: [String]) {
    (self.id, self.files) = (id, files)
  }

  var isWhole: Bool { files.contains(CopyNames.whole) }
}

package enum CopyRetention {
  /// The identifiers of the generations that are kept.
  ///
  /// The newest whole one is kept, with all behind it, whose snapshots may be under way. Of the whole ones before it
  /// the newest are kept. Several that began in the same hour count as one, and only the newest of them is kept: a
  /// server that is started again and again drives no older day out. A generation that is not whole and has a newer
  /// whole one is of a start that ended early.
  package static func kept(of generations: [StoredGeneration], _ settings: CopySettings) -> Set<String> {
    let sorted = generations.sorted { $0.id > $1.id }
    guard let newest = sorted.first(where: \.isWhole) else { return Set(sorted.map(\.id)) }
    var kept = Set(sorted.prefix { !$0.isWhole }.map(\.id) + [newest.id])
    var hours: Set<Substring> = [hour(of: newest.id)]
    for generation in sorted where generation.isWhole && hours.count < settings.generationsKept {
      if hours.insert(hour(of: generation.id)).inserted { kept.insert(generation.id) }
    }
    return kept
  }

  /// The date and the hour at the beginning of an identifier: `20261126T03`.
  private static func hour(of id: String) -> Substring { id.prefix(11) }
}
