// Reads a tick's numbers and nothing else of it, for bots that don't look at its rows.
//
// A value.
// Decisions: 170 (docs/decisions).
import MadangProtocol

/// The numbers of a tick without events.
package struct TickGlance: Equatable {
  package private(set) var tick: UInt32 = 0
  package private(set) var gameMs: UInt32 = 0

  /// Nil for every other message, also for a tick with events.
  package init?(binary bytes: UnsafeRawBufferPointer) {
    var message = BinaryCursor(bytes)
    guard message.takeVarint() == Tag.body, let body = message.takeBytes(), message.takeByte() == nil
    else { return nil }
    var cursor = BinaryCursor(body)
    while let tag = cursor.takeVarint() {
      switch tag {
      case Tag.tick:
        guard let number = cursor.takeVarint() else { return nil }
        tick = UInt32(truncatingIfNeeded: number)
      case Tag.gameMs:
        guard let number = cursor.takeVarint() else { return nil }
        gameMs = UInt32(truncatingIfNeeded: number)
      case Tag.events: return nil
      case _ where tag % 8 == Tag.lengthType: if cursor.takeBytes() == nil { return nil }
      case _ where tag % 8 == Tag.varintType: if cursor.takeVarint() == nil { return nil }
      default: return nil
      }
    }
  }

  /// Fields of `ServerMessage` and `Tick` in madang.proto: eight times a field's number, and its type.
  private enum Tag {
    static let varintType: UInt64 = 0
    static let lengthType: UInt64 = 2
    static let body: UInt64 = 7 * 8 + lengthType
    static let tick: UInt64 = 1 * 8 + varintType
    static let gameMs: UInt64 = 2 * 8 + varintType
    static let events: UInt64 = 7 * 8 + lengthType
  }
}
