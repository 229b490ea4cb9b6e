// A bot reads a tick's numbers where nobody looks at its rows.
import MadangProtocol
import Testing
import madang_loadtest

@Suite struct TickGlanceTests {
  /// A tick with each of its columns.
  private static let tick = WireTick.with {
    $0.tick = 70_000
    $0.gameMs = 6_000_100
    $0.seats = [0, 3]
    $0.latE7 = [601_713_000, -1]
    $0.lngE7 = [249_442_000, 1]
    $0.points = [7, 300]
    $0.cursors = [.with { $0.seat = 3 }]
    $0.skipped = 2
    $0.cellStarts = [5]
    $0.cellCounts = [1]
    $0.cellSeats = [3]
    $0.arena = .with { $0.cells = 400 }
    $0.order = [3, 0]
  }

  private func glance(_ message: WireServerMessage, cut: Int = 0) throws -> TickGlance? {
    let bytes: [UInt8] = try message.serializedBytes()
    return bytes.dropLast(cut).withUnsafeBytes { TickGlance(binary: $0) }
  }

  @Test("A tick's numbers are read, whatever columns it has")
  func numbers() throws {
    let all = try #require(try glance(.with { $0.tick = Self.tick }))
    #expect(all.tick == 70_000 && all.gameMs == 6_000_100)
    let first = try #require(try glance(.with { $0.tick = WireTick() }))
    #expect(first.tick == 0 && first.gameMs == 0)
  }

  @Test("A tick with events and other messages are not ticks to glance at")
  func others() throws {
    var tick = Self.tick
    tick.events = [.with { $0.number = 1 }]
    #expect(try glance(.with { $0.tick = tick }) == nil)
    #expect(try glance(.with { $0.room = .with { $0.tick = 4 } }) == nil)
    #expect(
      try glance(
        .with {
          $0.replyTo = 1
          $0.tick = Self.tick
        }
      ) == nil
    )
  }

  @Test("A message that was cut off is not read", arguments: 1..<60)
  func cut(_ bytes: Int) throws {
    #expect(try glance(.with { $0.tick = Self.tick }, cut: bytes) == nil)
  }
}
