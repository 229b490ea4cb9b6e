// An operator's text for everybody. A value.
import Game

/// An announcement to everybody.
struct Announcement: Sendable {
  let number: UInt64
  let text: String
  let at: Instant
}
