// Sessions that wait for the state of their room, room by room. Values of the shard.
import DequeModule
import Gateway
import MadangProtocol

/// A session that is to be sent the state of its room.
struct RoomStateRequest {
  let session: Session
  let id: UInt32?
  /// What the state is part of; nil for a state by itself.
  var welcome: WireWelcome?
  /// After which event those are told that were missed; nil for none.
  var afterEvent: UInt32?
  /// Called when the answer has been sent, behind its commit.
  var sent: () -> Void = {}
}

/// Rooms that somebody waits for, in the order of the first request for each.
struct RoomStateRequests {
  private var order: Deque<RoomCode> = []
  private var requests: [RoomCode: (live: LiveRoom, requests: [RoomStateRequest])] = [:]

  var isEmpty: Bool { order.isEmpty }

  mutating func append(_ request: RoomStateRequest, _ live: LiveRoom) {
    if requests[live.place.code] == nil { order.append(live.place.code) }
    requests[live.place.code, default: (live, [])].requests.append(request)
  }

  mutating func popFirst() -> (live: LiveRoom, requests: [RoomStateRequest])? {
    order.popFirst().flatMap { requests.removeValue(forKey: $0) }
  }

  /// Requests that a turn had no time for come behind those for other rooms.
  mutating func putBack(_ rest: ArraySlice<RoomStateRequest>, _ live: LiveRoom) {
    guard !rest.isEmpty else { return }
    order.append(live.place.code)
    requests[live.place.code] = (live, Array(rest))
  }
}
