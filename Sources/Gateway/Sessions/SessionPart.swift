// A feature's part of a session: that feature's knowledge of one connection.
//
// Owned by the session's shard. A part is made when its feature first needs it, so an idle session has none. When the
// connection changes shards, a part's cargo travels, and another part is made of it there.

package protocol SessionPart: AnyObject {
  /// The part's place in a session, which `Session.takeSlot` gives to its kind.
  static var slot: Int { get }
  /// The cargo that makes the part on another shard; nil for a part that stays behind.
  var cargo: (any SessionCargo)? { get }
}

package protocol SessionCargo: Sendable {
  /// The part for the session on its new shard.
  func unpacked(for session: Session) -> any SessionPart
}
