// The host of a room, and the order of succession. Part of `Roster`.

extension Roster {
  /// The time after a lost connection at which the host's part passes on.
  static let hostPassTime = Duration.seconds(10)

  /// The time at which the host's part passes on, if nobody comes or goes before.
  var hostPassesAt: Instant? {
    guard let hostSeat, let heldSince = self[.seat(hostSeat)]?.heldSince, longestConnectedSeat != nil else {
      return nil
    }
    return heldSince + Self.hostPassTime
  }

  /// Passes the host's part on if it is free, or the host has been without a connection for 10 s. The heir is the
  /// longest present connected player with a seat. Where nobody is connected, a free part goes to a held player, and
  /// then waits for the first connected one. Returns the new host's seat; nil without a change.
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
