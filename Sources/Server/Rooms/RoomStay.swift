// A session's stay in its room, which goes along when the room moves to another shard. A value.
import Game
import MadangProtocol

/// See the properties of `Attendee`.
struct RoomStay: Sendable {
  let place: Place
  let attendsSince: Instant
  let pace: TickPace?
  let isPaced: Bool
  let lag: TickMark?
  let rowsSeen: UInt64
  let awaitsTick: Bool
  let notifications: [WireServerMessage.OneOf_Body]
}
