// What a room's creator says of territory mode. A value that is whole from the start.

/// The settings of territory mode.
package struct TerritorySettings: Hashable, Sendable {
  /// Where it is played.
  package let arena: ArenaPlan
  /// An opponent who crosses an open path cuts it.
  package let cutting: Bool

  package init(arena: ArenaPlan = .standard, cutting: Bool = false) {
    self.arena = arena
    self.cutting = cutting
  }
}

// In a journal.
extension TerritorySettings {
  func write(to record: inout RecordWriter) {
    arena.write(to: &record)
    record.bytes.flag(cutting)
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    arena = try ArenaPlan(from: &record)
    cutting = try record.bytes.flag()
  }
}
