// A member's pace: how often they get the changes in their room.
//
// On the shard's queue. It belongs to the connection's attendance, so nothing is written.
import Game
import Gateway
import MadangProtocol

extension Rooms {
  func setPace(_ wire: WireSetPace, _ request: PlayerRequest) {
    guard let attendee = request.session.attendee, let room = attendee.room else { return request.refuse(.notInRoom) }
    let range = TickPace.rangeHz
    guard !wire.hasMaxHz || Int(exactly: wire.maxHz).map(range.contains) ?? false else {
      return request.refuse(.outOfRange, "maxHz: \(range.lowerBound) to \(range.upperBound)")
    }
    room.setPace(of: attendee, maxHz: wire.hasMaxHz ? Int(wire.maxHz) : nil)
    request.reply(.ok(WireOk()))
  }
}
