// The rules that are checked after every step, when a run is quiescent, and when all players have left.
import ClientModel
import Net

extension World {
  /// Checks the bytes that wait for a peer: a queue is within its bound after each turn, except for one message that is
  /// longer by itself, or was one too many.
  func checkQueues() throws(BrokenRule) {
    let (open, ending) = server.longestQueues
    let most = plan.limits.unsentBytesMax + 128 * 1_024
    try BrokenRule.unless(open <= most, .queuesBounded, "\(open) bytes wait on an open connection")
    try BrokenRule.unless(ending <= most, .queuesBounded, "\(ending) bytes wait on one that ends")
  }

  /// Checks the use of each budget in the server's own table. Bytes are charged when they have been written, so the
  /// last ones may exceed the bound.
  func checkBudgets() throws(BrokenRule) {
    for row in server.budgetRows where row.bound > 0 {
      let isOfBytes = [.journal, .journalOfAddress, .erasedRoomBytes].contains(row.budget)
      let most = row.bound + (isOfBytes ? 64 * 1_024 : 0)
      try BrokenRule.unless(row.used <= most, .budgetsHold, "\(row.used) of \(row.bound): \(row.budget)")
    }
  }

  func checkCensus() throws(BrokenRule) {
    try BrokenRule.unless(server.isCensusTrue, .censusIsTrue, "\(condition)")
  }

  /// Compares the copies of players to whom nothing is under way with the server's state.
  func compareCopies() throws(BrokenRule) {
    for player in players where player.isUnchecked { _ = try isUpToDate(player) }
  }

  /// Whether the player has taken everything. If so, their copy equals the server's state, or a rule is broken.
  private func isUpToDate(_ player: Player) throws(BrokenRule) -> Bool {
    guard player.state == .ready, let copy = player.copy, let playerID = player.playerID, player.link?.isIdle == true,
      !player.isDeciding, let room = server.quiescentRoom(copy.code, for: playerID)
    else { return false }
    let state = try BrokenRule.keeping { () throws(RoomCopy.Fault) in try RoomCopy(room) }
    let difference = copy.difference(from: state)
    try BrokenRule.unless(difference == nil, .copiesConverge, "player \(player.number): \(difference ?? "")")
    player.isUnchecked = false
    report.comparisons += 1
    return true
  }

  /// Checks that an acknowledged chat is in its room's history, once.
  func checkKept(_ text: String, in code: String) throws(BrokenRule) {
    let numbers = ledger.numbers(of: text, in: code)
    let isOnce = numbers.count == 1 && ledger.count(of: text) == 1
    try BrokenRule.unless(isOnce, .chatsKept, "\(text) is in \(code) \(numbers.count) times")
    for number in numbers { try ledger.checkWritten(number, of: code) }
  }

  /// Checks that without faults all players are back, know the server's state and have all answers, and that games end
  /// by their time.
  func awaitQuiescence() throws(BrokenRule) {
    let isQuiescent = try pass(until: now.advanced(seconds: 120)) { () throws(BrokenRule) in
      guard isServing else { return false }
      for player in players where player.wantsEventsOnly && player.state == .ready && !player.isDeciding {
        if player.copy != nil { player.setPace(nil, at: now) }
      }
      for player in players {
        guard player.tapClient.isAtRest, player.requests.isEmpty else { return false }
        guard player.copy != nil else { continue }
        guard player.copy?.phase != .playing, try isUpToDate(player) else { return false }
      }
      return true
    }
    if !isQuiescent {
      let waiting = players.map { player in
        "\(player.number): \(player.state), \(player.requests), \(String(describing: player.copy?.phase)), \(player.tapClient.taps)"
      }
      throw BrokenRule(rule: .quiesces, detail: "\(condition) \(waiting.joined(separator: "; "))")
    }
    for (text, code) in acknowledgedChats { try checkKept(text, in: code) }
    for text in refusedChats {
      try BrokenRule.unless(ledger.count(of: text) == 0, .chatsRefused, text)
    }
  }

  /// Checks that all players' records are exactly their games that have ended.
  func checkRecords() throws(BrokenRule) {
    for player in players { player.askRecords(at: now) }
    let areNotified = try pass(until: now.advanced(seconds: 10)) { () throws(BrokenRule) in
      players.allSatisfy(\.requests.isEmpty)
    }
    try BrokenRule.unless(areNotified, .quiesces, "a player did not receive all records")
    for player in players {
      let count = ledger.recordCount(of: player.playerID ?? "")
      let isRight = Int(player.account.totals.count) == count
      try BrokenRule.unless(
        isRight,
        .resultsKept,
        "player \(player.number) has \(player.account.totals.count) of \(count) records"
      )
    }
  }

  /// All players leave their room and go; the server must close the rooms and forget the connections.
  func takeLeave() throws(BrokenRule) {
    // The server tries the store every half second, so it may not have noticed yet that the store works again.
    try pass(until: now.advanced(milliseconds: 1_000)) { () throws(BrokenRule) in false }
    for player in players where player.copy != nil { player.ask(.leaveRoom(.init()), .leaveRoom, at: now) }
    let haveLeft = try pass(until: now.advanced(seconds: 10)) { () throws(BrokenRule) in
      players.allSatisfy { $0.requests.isEmpty && $0.copy == nil }
    }
    try BrokenRule.unless(haveLeft, .quiesces, "a player could not leave")
    for player in players { player.go() }
    let isEmpty = try pass(until: now.advanced(seconds: 70)) { () throws(BrokenRule) in
      server.connectionCount == 0 && server.counts.rooms == 0 && written.open.isEmpty
    }
    try BrokenRule.unless(server.waitingOrders == 0, .nothingLeft, "operators' orders for closed connections")
    try BrokenRule.unless(
      isEmpty,
      .nothingLeft,
      "\(server.connectionCount) connections, \(server.counts.rooms) rooms, \(written.open.count) stored"
    )
    for row in server.budgetRows where row.budget.rate == nil && row.budget != .dataBytes {
      try BrokenRule.unless(row.used == 0, .nothingLeft, "\(row.used) of \(row.budget)")
    }
    try BrokenRule.unless(server.counts.players <= players.count, .nothingLeft, "\(server.counts.players) players")
  }
}
