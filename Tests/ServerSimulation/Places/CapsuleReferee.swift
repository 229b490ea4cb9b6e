// The referee of capsules: what players were told of them, against what may be. A value of one run, which knows no rule
// of the server's and reckons in floating point.
import MadangProtocol

struct CapsuleReferee {
  /// The fields that an edit replaces.
  struct Edit {
    var title: String?
    var text: String?
    var memoryDate: String?
    var place: GroundPlace?
  }

  /// The changes of those who may open a capsule.
  struct Share {
    var everyone: Bool?
    var with: [String] = []
    var without: [String] = []
    /// The code of the room whose players are named.
    var room: String?
  }

  private(set) var records: [CapsuleRecord] = []
  private var numbers: [String: Int] = [:]
  /// The burials whose identifier no answer has told, by title: no two have the same.
  private var nameless: [String: Int] = [:]
  /// The owners whom each player may have blocked at some time.
  private var blocked: [String: Set<String>] = [:]

  /// The identifiers that were told, in the order of burying.
  var ids: [String] { records.compactMap(\.id) }

  subscript(id: String) -> CapsuleRecord? { numbers[id].map { records[$0] } }

  private mutating func change<Answer>(_ id: String, _ body: (inout CapsuleRecord) -> Answer) -> Answer? {
    numbers[id].map { body(&records[$0]) }
  }

  // Burying.

  mutating func mayBury(_ record: CapsuleRecord) {
    nameless[record.title.current[0]] = records.count
    records.append(record)
  }

  /// A burial had no effect.
  mutating func dropBurial(_ title: String) {
    guard let number = nameless.removeValue(forKey: title) else { return }
    records[number].presence.delete(atMs: 0)
  }

  /// Finds the record of a capsule that a message names; nil for one that nobody can have buried.
  mutating func recognize(_ id: String, title: String) -> CapsuleRecord? {
    if let number = numbers[id] { return records[number] }
    guard let number = nameless.removeValue(forKey: title) else { return nil }
    numbers[id] = number
    records[number].id = id
    return records[number]
  }

  /// Checks a capsule that a player was told of, as it may have been since a time. Before the player has opened it,
  /// only its owner is told whose it is, who may open it and how often it was opened.
  mutating func check(
    _ capsule: WireCapsule,
    to player: String,
    isOpened: Bool = false,
    sinceMs time: Int64
  ) throws(BrokenRule) {
    guard let record = recognize(capsule.capsuleID, title: capsule.title) else {
      throw BrokenRule(rule: .capsulesKept, detail: "nobody has buried \(capsule)")
    }
    let mayBe =
      record.presence.mayBeThere(sinceMs: time) && record.title.possible(sinceMs: time).contains(capsule.title)
      && record.memoryDate.possible(sinceMs: time).contains(capsule.memoryDate)
      && record.place.possible(sinceMs: time).contains(GroundPlace(latE7: capsule.latE7, lngE7: capsule.lngE7))
    try BrokenRule.unless(mayBe, .capsulesKept, "\(capsule.title) since \(time), of \(record)")
    let who = "\(player) was told of \(capsule.title)"
    let isAllowed = record.mayBeSeen(by: player, sinceMs: time)
    try BrokenRule.unless(isAllowed, .capsulesPrivate, "\(who), of \(record)")
    let hasOpened = capsule.opened && record.mayHaveOpened[player] == nil
    try BrokenRule.unless(!hasOpened, .openingsCounted, "\(who), and has not opened it")
    guard isOpened || record.owner == player else {
      let isBare = capsule.ownerID.isEmpty && !capsule.everyone && !capsule.hasOpens
      return try BrokenRule.unless(isBare, .capsulesPrivate, "\(who), and of its owner or its openings")
    }
    let isRight =
      record.owner == capsule.ownerID && record.everyone.possible(sinceMs: time).contains(capsule.everyone)
    try BrokenRule.unless(isRight, .capsulesKept, "\(capsule.title) of \(capsule.ownerID), of \(record)")
    let range = record.countRange(sinceMs: time)
    let isCounted = range.contains(Int(capsule.opens))
    try BrokenRule.unless(isCounted, .openingsCounted, "\(who), \(capsule.opens) of \(range), \(record)")
  }

  /// A change of a capsule is answered to its owner: nothing else of it is under way. Takes over what the answer tells.
  /// `mayBeDeleted`: the owner's account may be deleted meanwhile.
  mutating func settle(_ capsule: WireCapsule, mayBeDeleted: Bool, atMs now: Int64) {
    _ = change(capsule.capsuleID) { record in
      record.presence.settle(mayBeDeleted: mayBeDeleted, atMs: now)
      _ = record.title.settle(capsule.title, atMs: now)
      _ = record.memoryDate.settle(capsule.memoryDate, atMs: now)
      _ = record.place.settle(GroundPlace(latE7: capsule.latE7, lngE7: capsule.lngE7), atMs: now)
      _ = record.everyone.settle(capsule.everyone, atMs: now)
    }
  }

  // Changes.

  /// An edit is under way; returns the fields that it alone may have changed.
  mutating func mayEdit(_ id: String, _ edit: Edit) -> Edit {
    var new = Edit()
    _ = change(id) { record in
      if let title = edit.title, record.title.mayBecome(title) { new.title = title }
      if let text = edit.text, record.text.mayBecome(text) { new.text = text }
      if let date = edit.memoryDate, record.memoryDate.mayBecome(date) { new.memoryDate = date }
      if let place = edit.place, record.place.mayBecome(place) { new.place = place }
    }
    return new
  }

  mutating func dropEdit(_ id: String, _ new: Edit) {
    _ = change(id) { record in
      if let title = new.title { record.title.drop(title) }
      if let text = new.text { record.text.drop(text) }
      if let date = new.memoryDate { record.memoryDate.drop(date) }
      if let place = new.place { record.place.drop(place) }
    }
  }

  mutating func settleEdit(_ id: String, _ edit: Edit, atMs now: Int64) {
    _ = change(id) { record in
      if let text = edit.text { _ = record.text.settle(text, atMs: now) }
    }
  }

  /// A change of who may open it is under way; returns what it alone may have changed.
  mutating func mayShare(_ id: String, _ share: Share) -> Share {
    var new = Share(room: share.room)
    _ = change(id) { record in
      if let everyone = share.everyone, record.everyone.mayBecome(everyone) { new.everyone = everyone }
      if let room = share.room { record.rooms.insert(room) }
      for player in share.with where record.mayName(player, true) { new.with.append(player) }
      for player in share.without where record.mayName(player, false) { new.without.append(player) }
    }
    return new
  }

  mutating func dropShare(_ id: String, _ new: Share) {
    _ = change(id) { record in
      if let everyone = new.everyone { record.everyone.drop(everyone) }
      for player in new.with { record.named[player]?.drop(true) }
      for player in new.without { record.named[player]?.drop(false) }
    }
  }

  /// Notes who may have been named because they may have been in a room: `everIn` tells who has ever been in one.
  mutating func nameRoommates(_ everIn: (String) -> Set<String>) {
    for number in records.indices where !records[number].rooms.isEmpty {
      let owner = records[number].owner
      for code in records[number].rooms {
        for player in everIn(code) where player != owner { _ = records[number].mayName(player, true) }
      }
    }
  }

  /// Names are given and taken. `isKnown` tells which players surely exist: others may be left out.
  mutating func settleShare(_ id: String, _ share: Share, atMs now: Int64, isKnown: (String) -> Bool) {
    let blocked = blocked
    _ = change(id) { record in
      // The names that a room gives come after those that are taken away.
      for player in share.without where !share.with.contains(player) && share.room == nil {
        _ = record.named[player]?.settle(false, atMs: now)
      }
      for player in share.with where isKnown(player) {
        let mayBeBlocked =
          blocked[player]?.contains(record.owner) == true || blocked[record.owner]?.contains(player) == true
        if !mayBeBlocked { _ = record.named[player]?.settle(true, atMs: now) }
      }
      // Players who enter the room later are not named.
      if let room = share.room { record.rooms.remove(room) }
    }
  }

  /// A player blocks another: neither names the other any more. Whether it is done, and for how long, is not followed.
  mutating func noteBlock(of other: String, by player: String) {
    blocked[player, default: []].insert(other)
    for (owner, named) in [(other, player), (player, other)] {
      for number in records.indices where records[number].owner == owner && records[number].named[named] != nil {
        _ = records[number].mayName(named, false)
      }
    }
  }

  func mayHaveBlocked(_ player: String, _ owner: String) -> Bool { blocked[player]?.contains(owner) ?? false }

  /// A player may no longer be one of those whom the owner has named; the owner may name the player again at the same
  /// time. Returns whether that is new.
  mutating func mayLeave(_ id: String, _ player: String) -> Bool {
    change(id) { $0.mayName(player, false) } ?? false
  }

  /// A player's leaving had no effect.
  mutating func dropLeaving(_ id: String, _ player: String) { _ = change(id) { $0.named[player]?.drop(false) } }

  mutating func mayDelete(_ id: String) { _ = change(id) { $0.presence.mayBeDeleted() } }

  /// A deletion had no effect.
  mutating func keep(_ id: String) {
    _ = change(id) { $0.presence.keep() }
  }

  mutating func delete(_ id: String, atMs now: Int64) { _ = change(id) { $0.presence.delete(atMs: now) } }

  // Opening.

  /// An opening is under way.
  mutating func mayOpen(_ id: String, _ player: String) {
    _ = change(id) { if $0.owner != player { $0.mayHaveOpened[player, default: 0] += 1 } }
  }

  /// An opening was refused.
  mutating func dropOpening(_ id: String, _ player: String) {
    _ = change(id) { record in
      guard let count = record.mayHaveOpened[player] else { return }
      record.mayHaveOpened[player] = count > 1 ? count - 1 : nil
    }
  }

  mutating func open(_ id: String, _ player: String, atMs now: Int64) {
    _ = change(id) { if $0.owner != player, $0.opened[player] == nil { $0.opened[player] = now } }
  }

  // Players.

  /// A player's account is about to be deleted, and the player's capsules with it.
  mutating func mayDeleteAll(of owner: String) {
    for number in records.indices where records[number].owner == owner { records[number].presence.mayBeDeleted() }
  }

  mutating func deleteAll(of owner: String, atMs now: Int64) {
    for number in records.indices where records[number].owner == owner { records[number].presence.delete(atMs: now) }
  }
}
