// The tick work: each member's newest row, and ten times a second one frame of what has changed for everyone.
//
// Owned by one event loop. Ticks keep their times: a late one is not made up for, the next is due when it would have
// been.
import NIOCore

struct Row {
  let first: UInt64
  let second: UInt64
}

final class Room {
  private static let tickNanoseconds: UInt64 = 100_000_000
  /// Spreads rooms' ticks over the tenth of a second, the same way in both servers.
  private static let phaseNanoseconds: UInt64 = 61_803_000

  private let eventLoop: any EventLoop
  private var members: [Member] = []
  private var rows: [Row] = []
  private var isChanged: [Bool] = []
  private var changes = 0
  /// Used again for each tick, as long as nobody still has the last one.
  private var frame = ByteBuffer()
  private var due: UInt64

  init(_ number: Int, on eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    let now = NIODeadline.now().uptimeNanoseconds
    due = now - now % Self.tickNanoseconds + UInt64(number) * Self.phaseNanoseconds % Self.tickNanoseconds
  }

  func join(_ member: Member) {
    member.seat = members.count
    members.append(member)
    rows.append(Row(first: 0, second: 0))
    isChanged.append(false)
  }

  func leave(_ member: Member) {
    guard let seat = member.seat else { return }
    member.seat = nil
    if isChanged[seat] { changes -= 1 }
    let last = members.count - 1
    members.swapAt(seat, last)
    rows.swapAt(seat, last)
    isChanged.swapAt(seat, last)
    if seat < last { members[seat].seat = seat }
    members.removeLast()
    rows.removeLast()
    isChanged.removeLast()
  }

  func take(_ row: Row, of member: Member) {
    guard let seat = member.seat else { return }
    rows[seat] = row
    if !isChanged[seat] { changes += 1 }
    isChanged[seat] = true
  }

  func scheduleTick() {
    let now = NIODeadline.now().uptimeNanoseconds
    while due <= now { due += Self.tickNanoseconds }
    eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(due)) { self.tick() }
  }

  private func tick() {
    if changes > 0 {
      fillFrame()
      for member in members { member.deliver(frame) }
    }
    scheduleTick()
  }

  /// A server's binary frame: the number of the tick, the low half of its time in microseconds, the rows that changed.
  private func fillFrame() {
    let payloadBytes = 8 + 16 * changes
    frame.clear(minimumCapacity: payloadBytes + 10)
    frame.writeInteger(UInt8(0x82))
    switch payloadBytes {
    case 0...125: frame.writeInteger(UInt8(payloadBytes))
    case 126...Int(UInt16.max): frame.writeMultipleIntegers(UInt8(126), UInt16(payloadBytes))
    default: frame.writeMultipleIntegers(UInt8(127), UInt64(payloadBytes))
    }
    let number = UInt32(truncatingIfNeeded: due / Self.tickNanoseconds)
    frame.writeMultipleIntegers(number, UInt32(truncatingIfNeeded: due / 1_000), endianness: .little)
    for seat in rows.indices where isChanged[seat] {
      frame.writeMultipleIntegers(rows[seat].first, rows[seat].second, endianness: .little)
      isChanged[seat] = false
    }
    changes = 0
  }
}
