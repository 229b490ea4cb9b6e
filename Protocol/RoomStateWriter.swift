// Encodes a message with a room's whole state in three parts: the part that all in the room share, encoded once, and
// around it the receiver's own parts.
//
// Pure. Head, shared part and tail together equal the general encoder's message except for the order of fields, which
// has no meaning in either encoding.
import SwiftProtobuf

extension Subprotocol {
  /// The shared part: a room without the receiver's own fields.
  public func sharedState(_ room: WireRoom) -> [UInt8] {
    switch self {
    case .json: inner(encoded(room))
    case .proto: encoded(room)
    }
  }

  /// The missed events of a receiver of `welcome`, for `aroundState`.
  public func missedEvents(_ events: [WireEvent], gap: Bool) -> [UInt8] {
    var part = WireWelcome()
    part.events = events
    part.gap = gap
    switch self {
    case .json: return inner(encoded(part))
    case .proto: return encoded(part)
    }
  }

  /// The parts before and after the shared part.
  ///
  /// - Parameters:
  ///   - sharedBytes: the length of the shared part.
  ///   - own: the receiver's own fields of the room.
  ///   - replyTo: the request that the message answers; nil for one without `id`.
  ///   - welcome: the `welcome` that has the room, without room and events; nil for a message that is the room.
  ///   - missed: the result of `missedEvents`; empty for none.
  /// - Returns: the bytes before the shared part, and those after it.
  public func aroundState(
    sharedBytes: Int,
    own: WireRoom,
    replyTo: UInt32?,
    welcome: WireWelcome?,
    missed: [UInt8] = []
  ) -> (head: [UInt8], tail: [UInt8]) {
    switch self {
    case .json: around(own, replyTo, welcome, missed)
    case .proto: around(sharedBytes: sharedBytes, own, replyTo, welcome, missed)
    }
  }

  private func around(
    _ own: WireRoom,
    _ replyTo: UInt32?,
    _ welcome: WireWelcome?,
    _ missed: [UInt8]
  ) -> (head: [UInt8], tail: [UInt8]) {
    var head: [UInt8] = []
    head.append(text: "{")
    if let replyTo {
      head.append(text: "\"replyTo\":")
      head += String(replyTo).utf8
      head.append(text: ",")
    }
    if let welcome {
      head.append(text: "\"welcome\":{")
      let fields = inner(encoded(welcome))
      head += fields
      if !fields.isEmpty { head.append(text: ",") }
    }
    head.append(text: "\"room\":{")
    var tail: [UInt8] = []
    let ownFields = inner(encoded(own))
    // The shared part is never empty: a room has a mode's duration.
    if !ownFields.isEmpty {
      tail.append(text: ",")
      tail += ownFields
    }
    tail.append(text: "}")
    if welcome != nil {
      if !missed.isEmpty {
        tail.append(text: ",")
        tail += missed
      }
      tail.append(text: "}")
    }
    tail.append(text: "}")
    return (head, tail)
  }

  private func around(
    sharedBytes: Int,
    _ own: WireRoom,
    _ replyTo: UInt32?,
    _ welcome: WireWelcome?,
    _ missed: [UInt8]
  ) -> (head: [UInt8], tail: [UInt8]) {
    let ownFields = encoded(own)
    let roomBytes = UInt32(sharedBytes + ownFields.count)
    var head: [UInt8] = []
    if let replyTo {
      head.append(tag: 1, .varint)
      head.append(varint: replyTo)
    }
    guard let welcome else {
      head.append(tag: 4, .lengthDelimited)
      head.append(varint: roomBytes)
      return (head, ownFields)
    }
    var fields = encoded(welcome)
    fields.append(tag: 4, .lengthDelimited)
    fields.append(varint: roomBytes)
    head.append(tag: 2, .lengthDelimited)
    head.append(varint: UInt32(fields.count + missed.count) + roomBytes)
    return (head + fields, ownFields + missed)
  }

  /// The fields of a JSON object without its braces.
  private func inner(_ object: [UInt8]) -> [UInt8] { Array(object.dropFirst().dropLast()) }
}
