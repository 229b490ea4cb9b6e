// The simulated network: copies bytes between the players and the far ends of the server's sockets. On the way it
// delays them, cuts them into pieces, stops taking them, and ends connections in each possible way.
//
// Used by one simulation on its thread. Everything is drawn from the seed, and nothing depends on a descriptor's
// number. Order within a direction is kept, as TCP promises.
import Glibc
import Net
import SeededRandom

final class Network {
  /// The way in which a connection ends.
  enum Cut: CaseIterable {
    /// The player's end is closed, and the server's sent bytes are lost.
    case closed
    /// The same, with bytes unread: the server's next read fails.
    case reset
    /// Neither end is notified.
    case vanished
  }

  private(set) var links: [Link] = []
  private let plan: Plan
  private var random: SplitMix64
  private var openedCount = 0
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private var entries: [pollfd] = []
  /// Whether faults have ended.
  private(set) var isCalm = false
  var counts = FaultCounts()

  init(_ plan: Plan, random: SplitMix64) {
    self.plan = plan
    self.random = random
  }

  deinit {
    for link in links where link.condition != .closed { Glibc.close(link.far) }
  }

  /// Connects a player to a shard of the server.
  func open(by player: any LinkEnd, to server: SimulatedServer) throws(BrokenRule) -> Link {
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else {
      throw BrokenRule(rule: .comesToRest, detail: "no sockets are left: \(errno)")
    }
    openedCount += 1
    let link = Link(openedCount, far: pair[1], player: player)
    link.drips = !isCalm && random.chance(plan.dripPercent)
    if link.drips { counts.drips += 1 }
    links.append(link)
    let address = SocketAddress(ip: IPAddress(v4: 0x0A00_0000 + UInt32(player.number)), port: 1_024)
    server.adopt(pair[0], from: address, on: random.draw(0...server.shardCount - 1))
    return link
  }

  // From players to the server.

  /// Sends a player's bytes off.
  func send(_ bytes: [UInt8], on link: Link, at now: Timestamp) {
    guard link.condition == .whole || link.condition == .resetting else { return }
    split(bytes, of: link) { link.toServer.append(.bytes($0), due: arrival(from: now)) }
  }

  /// Closes the player's end behind the sent bytes; it takes nothing any more.
  func finish(_ link: Link, at now: Timestamp) {
    link.player = nil
    if link.condition == .whole { link.toServer.append(.end, due: arrival(from: now)) }
  }

  // Arrivals.

  /// The time at which the next piece arrives or a stall ends.
  var nextDue: Timestamp? {
    var next: Timestamp?
    for link in links {
      for due in [link.toServer.nextDue, link.stalledUntil ?? link.toPlayer.nextDue] {
        if let due { next = next.map { min($0, due) } ?? due }
      }
    }
    return next
  }

  /// Delivers arrived bytes to the server.
  func deliverToServer(at now: Timestamp, _ note: (Link, [UInt8]) -> Void) {
    for link in links {
      while link.condition != .closed, let piece = link.toServer.popDue(at: now) {
        guard link.condition != .vanished else { continue }
        switch piece {
        case .end:
          close(link, at: now)
        case .bytes(let bytes):
          let sent = max(0, Glibc.send(link.far, bytes, bytes.count, Int32(MSG_NOSIGNAL)))
          note(link, bytes)
          // The server does not read at the moment, or has ended.
          if sent < bytes.count, !link.hasServerEnded {
            link.toServer.putBack(Array(bytes[sent...]), due: now.advanced(milliseconds: 20))
          }
        }
      }
      if let until = link.stalledUntil, until <= now { link.stalledUntil = nil }
    }
  }

  /// Takes the server's bytes, unless the player takes nothing; false when there were none.
  func collect(at now: Timestamp) -> Bool {
    entries.removeAll(keepingCapacity: true)
    for link in links {
      let isTaking = link.condition == .resetting || link.condition == .whole && link.stalledUntil == nil
      entries.append(
        pollfd(
          // `poll` skips a negative descriptor.
          fd: link.condition == .closed || link.hasServerEnded ? -1 : link.far,
          events: Int16(isTaking ? POLLIN : 0),
          revents: 0
        )
      )
    }
    guard !entries.isEmpty, poll(&entries, nfds_t(entries.count), 0) > 0 else { return false }
    var hasTaken = false
    for (index, entry) in entries.enumerated() where entry.revents != 0 {
      hasTaken = take(links[index], entry.revents, at: now) || hasTaken
    }
    links.removeAll { $0.condition == .closed && $0.toPlayer.isEmpty }
    return hasTaken
  }

  private func take(_ link: Link, _ events: Int16, at now: Timestamp) -> Bool {
    switch link.condition {
    case .closed:
      return false
    case .vanished:
      // The server has given up the connection.
      if events & Int16(POLLHUP) != 0 { close(link, at: now) }
      return false
    case .resetting:
      close(link, at: now)
      return true
    case .whole:
      guard events & Int16(POLLIN) != 0 else { return false }
      let count = recv(link.far, &buffer, buffer.count, 0)
      if count > 0 {
        let bytes = Array(buffer[..<count])
        split(bytes, of: link) { link.toPlayer.append(.bytes($0), due: arrival(from: now)) }
      } else {
        link.hasServerEnded = true
        link.overSince = link.overSince ?? now
        link.toPlayer.append(.end, due: arrival(from: now))
      }
      return true
    }
  }

  /// Delivers arrived bytes to players.
  func deliverToPlayers(at now: Timestamp, _ note: (Link, [UInt8]) -> Void) throws(BrokenRule) {
    for link in links where link.stalledUntil == nil {
      while let piece = link.toPlayer.popDue(at: now) {
        switch piece {
        case .bytes(let bytes):
          guard let player = link.player else { continue }
          note(link, bytes)
          try player.receive(bytes, on: link, at: now)
        case .end:
          try link.player?.receiveEnd(of: link, at: now)
          close(link, at: now)
        }
      }
    }
  }

  // Faults.

  /// Ends a connection. Bytes under way to the server may still arrive or not. Its player learns of it after a while,
  /// if at all.
  func cut(_ link: Link, _ cut: Cut, at now: Timestamp) {
    guard link.condition == .whole else { return }
    link.toPlayer.clear()
    if cut == .closed, random.chance(50) {
      // The last requests reach the server; their answers are lost.
      deliverAll(of: link)
    }
    link.toServer.clear()
    link.overSince = link.overSince ?? now
    switch cut {
    case .closed:
      counts.cuts += 1
      close(link, at: now)
    case .reset:
      counts.resets += 1
      link.condition = .resetting
    case .vanished:
      counts.vanishings += 1
      link.condition = .vanished
    }
    if cut != .vanished || random.chance(60) {
      link.player?.noticeEnd(of: link, at: now.advanced(milliseconds: Int64(random.draw(0...2_000))))
    }
  }

  /// The server is lost. Its sent bytes may still arrive, since the kernel has them.
  func cutAll(at now: Timestamp) {
    for link in links where link.condition != .closed {
      let player = link.player
      link.isCrashed = true
      link.stalledUntil = nil
      close(link, at: now)
      if random.chance(50) {
        link.toPlayer.append(.end, due: arrival(from: now))
      } else {
        link.toPlayer.clear()
        player?.noticeEnd(of: link, at: now.advanced(milliseconds: Int64(random.draw(0...2_000))))
      }
    }
  }

  private func deliverAll(of link: Link) {
    while let piece = link.toServer.popDue(at: .distantFuture) {
      guard case .bytes(let bytes) = piece else { return }
      _ = Glibc.send(link.far, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// The player takes nothing on this connection for a while.
  func stall(_ link: Link, until time: Timestamp) {
    guard link.condition == .whole, link.stalledUntil == nil else { return }
    counts.stalls += 1
    link.stalledUntil = time
  }

  /// The player has given the connection up: none of its bytes reach anybody.
  func giveUp(_ link: Link, at now: Timestamp) {
    link.player = nil
    if link.condition == .whole { close(link, at: now) }
  }

  /// Ends all faults: vanished connections are cut, stalled ones go on.
  func calm(at now: Timestamp) {
    isCalm = true
    for link in links {
      if link.stalledUntil != nil { link.stalledUntil = now }
      link.drips = false
      guard link.condition != .whole else { continue }
      close(link, at: now)
      link.player?.noticeEnd(of: link, at: now)
    }
  }

  private func close(_ link: Link, at now: Timestamp) {
    guard link.condition != .closed else { return }
    link.condition = .closed
    link.overSince = link.overSince ?? now
    link.toServer.clear()
    Glibc.close(link.far)
  }

  // Drawing.

  private func arrival(from now: Timestamp) -> Timestamp {
    guard !isCalm else { return now.advanced(milliseconds: 1) }
    let extra = random.chance(plan.jitterPercent) ? random.draw(0...plan.jitterMs) : 0
    return now.advanced(milliseconds: Int64(random.draw(plan.latencyMs) + extra))
  }

  /// Cuts bytes into pieces, if this connection drips.
  private func split(_ bytes: [UInt8], of link: Link, _ send: ([UInt8]) -> Void) {
    guard link.drips, bytes.count > 1, random.chance(50) else { return send(bytes) }
    var start = 0
    for _ in 0..<random.draw(1...4) where start < bytes.count {
      let count = min(random.draw(1...max(1, bytes.count / 2)), bytes.count - start)
      send(Array(bytes[start..<start + count]))
      start += count
    }
    if start < bytes.count { send(Array(bytes[start...])) }
  }
}

/// The number of faults of each kind in a run.
package struct FaultCounts: Sendable {
  package var drips = 0
  package var cuts = 0
  package var resets = 0
  package var vanishings = 0
  package var stalls = 0
  package var storms = 0

  package static func + (left: Self, right: Self) -> Self {
    FaultCounts(
      drips: left.drips + right.drips,
      cuts: left.cuts + right.cuts,
      resets: left.resets + right.resets,
      vanishings: left.vanishings + right.vanishings,
      stalls: left.stalls + right.stalls,
      storms: left.storms + right.storms
    )
  }
}
