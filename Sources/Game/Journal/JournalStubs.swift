// Interface stubs.
package struct JournalWriter: Sendable {
  package init() {}
  package var isEmpty: Bool { true }
  package mutating func create(_ configuration: RoomConfiguration, seed: UInt64, at time: Instant) {}
  package mutating func append(_ input: Input, from author: PlayerID?, at time: Instant) {}
  package mutating func append(snapshotOf room: Room, at time: Instant) {}
  package mutating func take(into bytes: inout [UInt8]) {}
}

package struct JournalReader: Sendable {
  package private(set) var rulesVersion: UInt32 = 0
  package init(_ bytes: [UInt8]) {}
  package mutating func next() throws(JournalFault) -> JournalRecord? { nil }
}

package enum Journal {
  package static func erasing(_ player: PlayerID, from bytes: [UInt8]) throws(JournalFault) -> [UInt8] { bytes }
}

extension Room {
  package static func recovered(from journal: [UInt8]) throws(JournalFault) -> Room? { nil }
}

package struct GameReplay: Sendable {
  package let rulesVersion: UInt32
  package private(set) var room: Room
  package private(set) var result: GameResult?

  package init(_ number: UInt32, in journal: [UInt8]) throws(JournalFault) {
    throw JournalFault(.noBeginning, at: 0)
  }

  package mutating func next(into effects: inout Effects) throws(JournalFault) -> (input: Input, at: Instant)? { nil }
}
