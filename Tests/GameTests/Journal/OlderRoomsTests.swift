// Rooms that servers of earlier releases have written: an upgrade takes them up as they were.
//
// Each file in Vectors is a journal with one snapshot, written by a build whose rules had the version in its name.
import Foundation
import Game
import Testing

@Suite("Rooms of older rules")
struct OlderRoomsTests {
  private static let vectors = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Vectors")

  private func journal(_ name: String) throws -> [UInt8] {
    let text = try String(contentsOf: Self.vectors.appending(path: name), encoding: .utf8)
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// Two players walked for 35 minutes, a step each 30 s. Seat 0 went to the north and to the south of the start in
  /// turn, each step 2.8 m further from it. Seat 1 went beside it, for five steps.
  @Test("A footprint game of rules 6 goes on with its points, footprints and order")
  func footprintsOfRules6() throws {
    let recovery = try #require(try RoomRecovery(from: journal("room-of-rules-6.hex")))
    #expect(recovery.rulesVersion == 6)
    let room = recovery.room
    #expect(room.phase == .playing)
    #expect(ToldOrder.seats(in: room) == [0, 1])
    #expect(room.footprints(seat: 0).count == 68)
    // The second step is too near the start, the last one too far for its time.
    let scored = [0] + Array(2...68)
    let newest = scored.suffix(64).map { Int32($0 % 2 == 0 ? $0 : -$0) * 250 + 375_000_000 }
    let columns = FootprintColumns(of: room)
    #expect(columns.seats == [0, 1] && columns.counts == [64, 4])
    var sum: Int32 = 0
    let seen = columns.latE7.prefix(64).map { difference in
      sum &+= difference
      return sum
    }
    #expect(seen == newest)
  }
}
