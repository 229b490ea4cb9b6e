// The answers to a player's requests about places and capsules, checked against PROTOCOL.md, the store and the
// referee.
import MadangProtocol
import Net

extension PlaceClient {
  func answered(
    _ request: PlaceRequest,
    _ body: WireServerMessage.OneOf_Body,
    at now: Timestamp
  ) throws(BrokenRule) {
    world.nameRoommates()
    let (nowMs, askedMs) = (now.milliseconds, player.answeredAskedAt.milliseconds)
    switch (request, body) {
    case (.watch, .placesWatched(let watched)): try takeWatch(watched)
    case (.unwatch, .ok): endWatch()
    case (.move(let number), .moved(let moved)):
      try check(moved, of: 1)
      try takeMove(number, moved, at: now)
    case (.moves(let numbers), .moved(let moved)):
      try check(moved, of: numbers.count)
      sent.answered(numbers, acceptsAny: moved.accepted > 0, atMs: nowMs)
    case (.bury(let title, _, let share), .capsule(let capsule)):
      try BrokenRule.unless(capsule.title == title, .capsulesKept, "\(title) was buried as \(capsule)")
      try takeOwn(capsule, askedMs, nowMs)
      world.capsules.settleShare(capsule.capsuleID, share, atMs: nowMs) { self.world.isKnown($0) }
      world.report.capsulesBuried += 1
      try world.checkStored(capsule.capsuleID, of: playerID)
    case (.edit(let id, let edit, _), .capsule(let capsule)):
      try BrokenRule.unless(capsule.capsuleID == id, .oneAnswer, "\(capsule) for \(id)")
      try check(capsule, has: edit)
      try takeOwn(capsule, askedMs, nowMs)
      world.capsules.settleEdit(id, edit, atMs: nowMs)
      world.report.capsulesChanged += 1
      try world.checkStored(id, of: playerID)
    case (.share(let id, let share, _), .capsule(let capsule)):
      try BrokenRule.unless(capsule.capsuleID == id, .oneAnswer, "\(capsule) for \(id)")
      if let everyone = share.everyone {
        try BrokenRule.unless(
          capsule.everyone == everyone,
          .capsulesKept,
          "\(capsule) is not for everyone: \(everyone)"
        )
      }
      try takeOwn(capsule, askedMs, nowMs)
      world.capsules.settleShare(id, share, atMs: nowMs) { self.world.isKnown($0) }
      world.report.capsulesChanged += 1
      try world.checkStored(id, of: playerID)
    case (.delete(let id, _), .ok):
      world.capsules.delete(id, atMs: nowMs)
      world.report.capsulesChanged += 1
      openable.remove(id)
      try world.checkStored(id, of: playerID)
    case (.leave, .ok): world.report.capsulesChanged += 1
    case (.open(let id), .openedCapsule(let opened)): try takeOpened(id, opened, askedMs, nowMs)
    case (.list, .capsules(let page)): try takeList(page, askedMs)
    case (.trespass, .capsule), (.trespass, .ok):
      throw BrokenRule(rule: .capsulesPrivate, detail: "player \(player.number) has changed another's capsule: \(body)")
    case (_, .error(let error)): try refused(request, error, at: now)
    default:
      throw BrokenRule(rule: .oneAnswer, detail: "player \(player.number)'s \(request) was answered with \(body)")
    }
  }

  private func takeWatch(_ watched: WirePlacesWatched) throws(BrokenRule) {
    isWatching = true
    dwelled = []
    openable = []
    inside = [:]
    for fence in watched.inside { inside[fence.fenceID] = .some(nil) }
    world.report.placeWatches += 1
  }

  // Fixes.

  private func check(_ moved: WireMoved, of count: Int) throws(BrokenRule) {
    let sum = Int(moved.accepted + moved.repeated + moved.setAside + moved.refused)
    try BrokenRule.unless(sum == count, .oneAnswer, "\(moved) answers \(count) fixes")
    try BrokenRule.unless(moved.hasNextCheckS && moved.nextCheckS >= 1, .oneAnswer, "\(moved) has no next check")
  }

  private func takeMove(_ number: Int, _ moved: WireMoved, at now: Timestamp) throws(BrokenRule) {
    sent.answered(number, isAccepted: moved.accepted == 1, atMs: now.milliseconds)
    guard moved.accepted == 1, !isSuspect, player.isLoner, let fix = sent[number],
      fix.earliestMs > now.milliseconds - 20_000, sent.isBelieved(number), !sent.mayBeDoubted
    else { return }
    // What can be opened is told at each step of 5 m.
    for id in openable {
      guard let record = world.capsules[id], record.owner == playerID || record.place.isUnchanged else { continue }
      let isNear = record.place.possible(sinceMs: fix.sentMs).contains { $0.metres(to: fix.place) <= 106 }
      try BrokenRule.unless(isNear, .openablesNear, "player \(player.number) is at \(fix), and can open \(record)")
    }
  }

  // Capsules.

  private func check(_ capsule: WireCapsule, has edit: CapsuleReferee.Edit) throws(BrokenRule) {
    let place = GroundPlace(latE7: capsule.latE7, lngE7: capsule.lngE7)
    let isEdited =
      edit.title ?? capsule.title == capsule.title && edit.memoryDate ?? capsule.memoryDate == capsule.memoryDate
      && edit.place ?? place == place
    try BrokenRule.unless(isEdited, .capsulesKept, "\(capsule), not as edited: \(edit)")
  }

  /// The player's capsule as an answer tells it.
  private func takeOwn(_ capsule: WireCapsule, _ askedMs: Int64, _ nowMs: Int64) throws(BrokenRule) {
    try world.capsules.check(capsule, to: playerID, sinceMs: askedMs)
    world.capsules.settle(capsule, mayBeDeleted: player.mayBeDeleted, atMs: nowMs)
  }

  private func takeOpened(
    _ id: String,
    _ answer: WireOpenedCapsule,
    _ askedMs: Int64,
    _ nowMs: Int64
  ) throws(BrokenRule) {
    var opened = answer
    if world.brokenOnPurpose == .countsTwice, opened.first { opened.capsule.opens += 1 }
    try BrokenRule.unless(opened.capsule.capsuleID == id, .oneAnswer, "\(opened) for \(id)")
    try world.capsules.check(opened.capsule, to: playerID, isOpened: true, sinceMs: askedMs)
    guard let record = world.capsules[id] else { return }
    let who = "player \(player.number) has opened \(opened)"
    let isText = record.text.possible(sinceMs: askedMs).contains(opened.text)
    try BrokenRule.unless(isText, .capsulesKept, "\(who), of \(record)")
    try BrokenRule.unless(
      sent.mayOpen(record.place.possible(sinceMs: askedMs), askedMs: askedMs),
      .openedNearby,
      "\(who), and was not there: \(sent.all.suffix(8))"
    )
    try BrokenRule.unless(!isSuspect, .suspectsGetNothing, who)
    let isOwner = record.owner == playerID
    let mayBeFirst = !isOwner && record.opened[playerID] == nil
    try BrokenRule.unless(!opened.first || mayBeFirst, .openingsCounted, "\(who) for the first time again: \(record)")
    try BrokenRule.unless(opened.capsule.opened == !isOwner, .openingsCounted, "\(who): \(record)")
    world.capsules.open(id, playerID, atMs: nowMs)
    world.report.capsulesOpened += 1
    try world.checkStored(id, of: record.owner)
  }

  /// Takes the player's own capsules.
  private func takeList(_ page: WireCapsules, _ askedMs: Int64) throws(BrokenRule) {
    for capsule in page.capsules {
      try BrokenRule.unless(capsule.ownerID == playerID, .capsulesPrivate, "\(capsule) is not \(playerID)'s own")
      try world.capsules.check(capsule, to: playerID, sinceMs: askedMs)
    }
    guard page.nextCursor.isEmpty else { return }
    for record in world.capsules.records where record.owner == playerID {
      // A burial that was answered since is younger than the list.
      guard let id = record.id, record.presence.isSure(sinceMs: askedMs) else { continue }
      let isListed = page.capsules.contains { $0.capsuleID == id }
      try BrokenRule.unless(isListed, .capsulesKept, "player \(player.number) has lost \(record)")
    }
    world.report.capsuleLists += 1
  }

  // Refusals.

  private func refused(_ request: PlaceRequest, _ error: WireError, at now: Timestamp) throws(BrokenRule) {
    var mayBe: [WireErrorCode] = []
    switch request {
    case .watch, .open, .list: mayBe = [.rateLimited]
    case .bury(_, _, let share), .share(_, let share, _):
      mayBe = [.rateLimited] + (share.room == nil ? [] : [.notInRoom])
    case .edit, .delete, .leave: mayBe = [.rateLimited]
    case .trespass: mayBe = [.rateLimited, .capsuleNotFound]
    case .unwatch, .move, .moves: break
    }
    if case .open(let id) = request { mayBe += try refusalsOfOpening(id, error, at: now) }
    if mayMiss(request) { mayBe.append(.capsuleNotFound) }
    if world.hasStoreFailed { mayBe += [.rateLimited, .storeUnavailable] }
    switch request {
    case .move, .moves, .watch, .unwatch: mayBe.removeAll { $0 == .storeUnavailable }
    default: break
    }
    try BrokenRule.unless(
      mayBe.contains(error.code),
      .oneAnswer,
      "player \(player.number)'s \(request) was refused: \(error.message)"
    )
    if error.code == .storeUnavailable { world.report.unavailable += 1 }
    world.report.placeRefusals += 1
    undo(request, error, at: now)
  }

  /// Whether the request's own capsule may be missing.
  private func mayMiss(_ request: PlaceRequest) -> Bool {
    if player.mayBeDeleted { return true }
    switch request {
    case .edit(let id, _, _), .share(let id, _, _): return world.capsules[id]?.presence.isSure != true
    case .delete(_, let wasSure): return !wasSure
    default: return false
    }
  }

  private func refusalsOfOpening(
    _ id: String,
    _ error: WireError,
    at now: Timestamp
  ) throws(BrokenRule) -> [WireErrorCode] {
    guard let record = world.capsules[id] else { return [.capsuleNotFound] }
    let askedMs = player.answeredAskedAt.milliseconds
    let mustSee =
      record.mustBeSeen(by: playerID, sinceMs: askedMs) && !player.mayBeDeleted
      && !world.capsules.mayHaveBlocked(playerID, record.owner)
    var mustOpen = false
    if isWatching, player.isLoner, let place = record.place.sure, record.place.possible(sinceMs: askedMs).count == 1 {
      mustOpen = sent.mustOpen(place, askedMs: askedMs, atMs: now.milliseconds)
    }
    return (mustSee ? [] : [.capsuleNotFound])
      + (mustOpen ? [] : [.fixNeeded, .outOfReach, .positionNotBelieved])
  }

  /// A request had no effect.
  private func undo(_ request: PlaceRequest, _ error: WireError, at now: Timestamp) {
    switch request {
    case .bury(let title, _, _): world.capsules.dropBurial(title)
    case .edit(let id, _, let new): world.capsules.dropEdit(id, new)
    case .share(let id, _, let new): world.capsules.dropShare(id, new)
    case .delete(let id, let wasSure):
      if error.code == .capsuleNotFound {
        world.capsules.delete(id, atMs: now.milliseconds)
      } else if wasSure {
        world.capsules.keep(id)
      }
    case .open(let id): world.capsules.dropOpening(id, playerID)
    case .leave(let id, let isNew):
      if isNew { world.capsules.dropLeaving(id, playerID) }
    case .move(let number): sent.answered(number, isAccepted: false, atMs: now.milliseconds)
    case .watch, .unwatch, .moves, .list, .trespass: break
    }
  }
}
