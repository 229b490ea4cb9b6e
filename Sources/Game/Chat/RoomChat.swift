// Chat and read cursors of a room. Every member may chat, in every phase, and has one cursor that only moves forward.
// Part of `Room`; chats travel as events, cursors in ticks.

extension Room {
  /// The newest chat events, oldest first: at most 200, and at most 64 KiB of text.
  package var chats: [Event] {
    Array(log.chats)
  }

  mutating func chat(_ text: String, from place: Place, at now: Instant) -> Effects.Answer {
    do throws(TextFault) {
      _ = try ChatText(journaled: text)
    } catch {
      return .refused(.badText(error.description))
    }
    guard let occupant = roster[place] else { return .refused(.notInRoom) }
    var bucket = occupant.chatBucket
    guard bucket.take(at: now, ChatRules.rate) else {
      return .refused(.chatTooOften(retryAfter: bucket.wait(at: now, ChatRules.rate)))
    }
    roster[place]?.chatBucket = bucket
    record(.chat(place, author: occupant.id, text: text), at: now)
    return .ok
  }

  /// Moves a read cursor. Any event's number is valid, so that a client need not know which of them was a chat. An
  /// older number than before changes nothing.
  mutating func readChat(upTo number: UInt32, from place: Place) -> Effects.Answer {
    guard number <= log.lastNumber else { return .refused(.upToOutOfRange) }
    roster.readChat(upTo: number, from: place)
    return .ok
  }
}
