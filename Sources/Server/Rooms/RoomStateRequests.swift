// Sessions that wait for the state of their room, by room. Values of the shard.
import DequeModule
import Gateway
import MadangProtocol

/// A session that waits for the state of its room.
struct RoomStateRequest {
  let session: Session
  let id: UInt32?
  /// The welcome around the state; nil for a state by itself.
  var welcome: WireWelcome?
  /// The number after which missed events are sent; nil for none.
  var afterEvent: UInt32?
  /// Called when the answer has been sent, after its commit.
  var sent: () -> Void = {}
}

/// The rooms with requests, in the order of the first request for each.
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

  /// Puts requests that a turn had no time for behind those for other rooms.
  mutating func putBack(_ rest: ArraySlice<RoomStateRequest>, _ live: LiveRoom) {
    guard !rest.isEmpty else { return }
    order.append(live.place.code)
    requests[live.place.code] = (live, Array(rest))
  }
}
