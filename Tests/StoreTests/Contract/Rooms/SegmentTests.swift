// The blob that a commit writes: appended room by room and handed out again. DamagedSegmentTests covers damage, which
// the store must find.
import Game
import Store
import Testing

@Suite("A segment")
struct SegmentTests {
  @Test("A room without new events takes no bytes")
  func nothingTakesNothing() {
    var segment = Segment()
    segment.append(RoomID(1)) { _ in }
    #expect(segment.isEmpty)
    segment.append(RoomID(1)) { $0.append(7) }
    let one = segment.bytes
    segment.append(RoomID(2)) { _ in }
    #expect(segment.bytes == one)
  }

  @Test("A chunk follows its room's 16 bytes and its length in four")
  func layout() {
    var segment = Segment()
    segment.append(RoomID(0x0102)) { $0 += [7, 8, 9] }
    #expect(segment.bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 3, 7, 8, 9])
    segment.removeAll()
    #expect(segment.isEmpty)
  }
}
