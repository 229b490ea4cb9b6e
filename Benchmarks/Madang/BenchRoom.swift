// A room of the tick work: each member's newest row, and one frame with the changed rows for all members.
//
// Owned by one shard. A tick is encoded and framed once, in place, and sent to each member in one system call. A member
// that is behind gets none.
import Net
import WebSocket

/// A member of a room, or a client on its way there.
final class Member {
  unowned let connection: Connection
  let roomNumber: Int
  var row = Row()
  fileprivate(set) var room: BenchRoom?
  fileprivate var seat = 0
  fileprivate var isChanged = false

  init(_ connection: Connection, room: Int) {
    self.connection = connection
    roomNumber = room
  }
}

final class BenchRoom {
  /// The due time of the tick whose timer is set.
  var due = Timestamp(microseconds: 0)
  private var members: ContiguousArray<Member> = []
  private var hasChanged = false
  /// The buffer, reused for each tick.
  private var frame: [UInt8] = []

  func add(_ member: Member) {
    member.room = self
    member.seat = members.count
    members.append(member)
    noteChange(of: member)
  }

  func remove(_ member: Member) {
    let last = members.removeLast()
    if last !== member {
      members[member.seat] = last
      last.seat = member.seat
    }
    member.room = nil
  }

  func noteChange(of member: Member) {
    member.isChanged = true
    hasChanged = true
  }

  func tick() {
    guard hasChanged else { return }
    hasChanged = false
    let start = fillFrame()
    frame.withUnsafeBytes { bytes in
      let shared = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let none = UnsafeRawBufferPointer(start: nil, count: 0)
      for member in members where !member.connection.isBehind {
        member.connection.send(frames: shared, none)
      }
    }
  }

  /// The index in `frame` at which the tick's frame starts.
  private func fillFrame() -> Int {
    frame.removeAll(keepingCapacity: true)
    frame.append(contentsOf: repeatElement(0, count: FrameEncoder.serverHeaderBytesMax))
    withUnsafeBytes(of: TickHeader(due: due)) { frame.append(contentsOf: $0) }
    for member in members where member.isChanged {
      member.isChanged = false
      withUnsafeBytes(of: member.row) { frame.append(contentsOf: $0) }
    }
    return FrameEncoder.finishServerFrame(.binary, in: &frame)
  }
}
