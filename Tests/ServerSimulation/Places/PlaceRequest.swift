// A player's request about places or capsules. A value.

/// A request, with the data needed for its answer.
enum PlaceRequest {
  case watch
  case unwatch
  /// The number of the fix.
  case move(Int)
  case moves([Int])
  case bury(title: String, text: String, CapsuleReferee.Share)
  /// With what the request alone may have changed.
  case edit(String, CapsuleReferee.Edit, new: CapsuleReferee.Edit)
  case share(String, CapsuleReferee.Share, new: CapsuleReferee.Share)
  /// Whether it was surely there.
  case delete(String, wasSure: Bool)
  /// Whether the player had not asked for it before.
  case leave(String, isNew: Bool)
  case open(String)
  case list
  /// Changes another player's capsule.
  case trespass

  /// Whether it changes the player's own capsules; one at a time is under way.
  var isChange: Bool {
    switch self {
    case .bury, .edit, .share, .delete, .leave: true
    case .watch, .unwatch, .move, .moves, .open, .list, .trespass: false
    }
  }

  var isWatch: Bool {
    switch self {
    case .watch, .unwatch: true
    default: false
    }
  }
}
