// The handlers of requests, by type. Features register theirs when a shard begins.
//
// Owned by one shard's gateway. `move` in its usual form never comes here.
import MadangProtocol

struct RequestTable {
  /// Calls the handler, or refuses the request. The body is of the handler's type.
  typealias Entry = (WireClientMessage.OneOf_Body, _ id: UInt32?, Session) -> Void

  private var entries = [Entry?](repeating: nil, count: ReceivedType.allCases.count)

  subscript(type: ReceivedType) -> Entry? { entries[type.rawValue] }

  /// The requests that have no handler.
  var missing: [ReceivedType] { ReceivedType.requests.filter { entries[$0.rawValue] == nil } }

  /// Adds a request that needs no player.
  mutating func addOpen<Body: RequestBody>(_ handle: @escaping (Body, OpenRequest) -> Void) {
    add { (body: Body, id, session) in handle(body, OpenRequest(id: id, session: session, asker: Anyone())) }
  }

  /// Adds a request of a player; it is refused before hello. `canBegin` says whether it can be taken now.
  mutating func add<Body: RequestBody>(
    where canBegin: @escaping () -> Bool,
    _ handle: @escaping (Body, PlayerRequest) -> Void
  ) {
    add { (body: Body, id, session) in
      guard let identity = session.state.identity else { return session.refuse(id, .helloFirst) }
      guard canBegin() else { return session.refuseForStore(id) }
      handle(body, PlayerRequest(id: id, session: session, asker: identity))
    }
  }

  private mutating func add<Body: RequestBody>(_ handle: @escaping (Body, UInt32?, Session) -> Void) {
    precondition(entries[Body.type.rawValue] == nil, "\(Body.type) has one handler")
    entries[Body.type.rawValue] = { body, id, session in
      guard let body = Body(body) else { preconditionFailure("a body has the type of its entry") }
      handle(body, id, session)
    }
  }
}
