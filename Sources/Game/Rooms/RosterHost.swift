// Who is the host of a room, and whose part it is next. Part of `Roster`.

extension Roster {
  /// How long a place is held after its connection was lost.
  static let holdTime = Duration.seconds(30)
  /// How long after a lost connection the host's part passes on.
  static let hostPassTime = Duration.seconds(10)

  /// When the host's part passes on, if nobody comes or goes before.
  var hostPassesAt: Instant? {
    guard let hostSeat, let heldSince = self[.seat(hostSeat)]?.heldSince, longestConnectedSeat != nil else {
      return nil
    }
    return heldSince + Self.hostPassTime
  }

  /// Passes the host's part on if it is free, or its owner has been without a connection for 10 s: to the longest
  /// present of the connected with a seat. A free part goes to one who is held where nobody is connected; then it waits
  /// for the first who is. The new host's seat; nil where nothing changes.
  mutating func passHost(at time: Instant) -> Int? {
    let heir: Place?
    if let hostSeat, let heldSince = self[.seat(hostSeat)]?.heldSince {
      heir = time >= heldSince + Self.hostPassTime ? longestConnectedSeat : nil
    } else {
      heir = hostSeat == nil ? longestSeated : nil
    }
    guard case .seat(let seat) = heir else { return nil }
    hostSeat = seat
    return seat
  }
}
