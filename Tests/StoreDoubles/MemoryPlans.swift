// Travel plans of the double, by looking at each of them. A value, part of the tables. The posts that show a plan are
// those of the stories.
import Game
import Store

struct MemoryPlans: Sendable {
  private struct Entry: Sendable {
    var plan: Plan
    var stops: [PlanStop]
    let number: Int64
    var isHidden = false
    var takers: [PlayerID: Instant] = [:]
  }

  private enum Access {
    case author
    case reader
    case blocked
    case none
  }

  /// A plan of an author's, or the refusal of its change.
  private enum OwnPlan {
    case found(Entry)
    case refused(PlanOutcome)
  }

  private var entries: [PlanID: Entry] = [:]
  private var newestNumber: Int64 = 0

  func author(of plan: PlanID) -> PlayerID? { entries[plan]?.plan.author }

  /// A plan with its stops in their order, whoever sees it.
  func stored(_ id: PlanID) -> (plan: Plan, stops: [PlanStop], isHidden: Bool)? {
    entries[id].map { ($0.plan, $0.stops, $0.isHidden) }
  }

  mutating func write(
    _ change: PlanChange,
    _ players: MemoryStories.Players,
    _ stories: inout MemoryStories
  ) -> PlanOutcome {
    switch change {
    case .write(let new): return write(new, players, stories)
    case .edit(let edit):
      switch ownPlan(edit.id, of: edit.author, version: edit.version, players, stories) {
      case .refused(let outcome): return outcome
      case .found(let entry):
        let before = opened(entry, for: edit.author, players, stories)
        do throws(PlanFault) {
          guard let edited = try before.applying(edit) else { return .edited(before, isChanged: false) }
          entries[edit.id]?.plan = edited.seen.plan
          entries[edit.id]?.stops = edited.stops
          return .edited(edited, isChanged: true)
        } catch {
          return .refused(error)
        }
      }
    case .delete(let id, let author, let version):
      switch ownPlan(id, of: author, version: version, players, stories) {
      case .refused(let outcome): return outcome
      case .found:
        entries[id] = nil
        stories.dropPlan(id)
        return .deleted
      }
    case .takeOver(let id, let copy): return takeOver(id, copy, players, stories)
    case .hide(let id, let isHidden):
      guard entries[id] != nil else { return .notFound }
      entries[id]?.isHidden = isHidden
      return .hidden
    }
  }

  private mutating func write(
    _ new: Plan,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> PlanOutcome {
    guard players[new.author] != nil else { return .notFound }
    if let known = entries[new.id] {
      return known.plan.author == new.author ? .written(opened(known, for: new.author, players, stories)) : .notFound
    }
    guard !hasTooMany(new.author) else { return .tooMany }
    let plan = Plan(id: new.id, author: new.author, title: new.title, days: new.days, writtenAt: new.writtenAt)
    return .written(opened(add(plan, []), for: new.author, players, stories))
  }

  private func hasTooMany(_ author: PlayerID) -> Bool {
    entries.values.count(where: { $0.plan.author == author }) >= Plan.authoredMax
  }

  private mutating func add(_ plan: Plan, _ stops: [PlanStop]) -> Entry {
    newestNumber += 1
    let entry = Entry(plan: plan, stops: stops, number: newestNumber)
    entries[plan.id] = entry
    return entry
  }

  private mutating func takeOver(
    _ id: PlanID,
    _ copy: PlanCopy,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> PlanOutcome {
    let player = copy.player
    guard players[player] != nil, let original = entries[id] else { return .notFound }
    switch access(of: player, to: original, players, stories) {
    case .author, .reader: break
    case .blocked: return .blocked
    case .none: return .notFound
    }
    if let known = entries[copy.id] {
      guard known.plan.author == player else { return .notFound }
      return .takenOver(
        opened(known, for: player, players, stories),
        takenOverCount: original.plan.takenOverCount,
        isCounted: false
      )
    }
    guard !hasTooMany(player) else { return .tooMany }
    let copied: (plan: Plan, stops: [PlanStop])
    do throws(PlanFault) {
      copied = try opened(original, for: player, players, stories).copied(copy)
    } catch {
      return .refused(error)
    }
    let added = add(copied.plan, copied.stops)
    let isCounted = player != original.plan.author && original.takers[player] == nil
    if isCounted {
      entries[id]?.takers[player] = copy.at
      entries[id]?.plan.takenOverCount += 1
    }
    return .takenOver(
      opened(added, for: player, players, stories),
      takenOverCount: original.plan.takenOverCount + (isCounted ? 1 : 0),
      isCounted: isCounted
    )
  }

  private func ownPlan(
    _ id: PlanID,
    of author: PlayerID,
    version: Int64?,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> OwnPlan {
    guard players[author] != nil, let entry = entries[id] else { return .refused(.notFound) }
    switch access(of: author, to: entry, players, stories) {
    case .author: break
    case .reader, .blocked: return .refused(.notAuthor)
    case .none: return .refused(.notFound)
    }
    guard version ?? entry.plan.version == entry.plan.version else {
      return .refused(.staleVersion(opened(entry, for: author, players, stories)))
    }
    return .found(entry)
  }

  private func access(
    of player: PlayerID,
    to entry: Entry,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> Access {
    let author = entry.plan.author
    if author == player { return .author }
    guard !entry.isHidden, !(players[player]?.blocked.contains(author) ?? false),
      players[player]?.reported.contains(.plan(entry.plan.id)) != true,
      stories.shows(entry.plan.id, besides: players[player]?.reported ?? [])
    else { return .none }
    return players[author]?.blocked.contains(player) ?? false ? .blocked : .reader
  }

  private func seen(
    _ entry: Entry,
    for player: PlayerID,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> SeenPlan {
    func nickname(of player: PlayerID) -> String { players[player]?.nickname ?? ErasedText.text }
    let credit = entry.plan.origin.flatMap { origin -> PlanCredit? in
      if players[player]?.blocked.contains(origin.author) == true { return nil }
      var plan: PlanID?
      if let original = entries[origin.plan] {
        switch access(of: player, to: original, players, stories) {
        case .author, .reader: plan = origin.plan
        case .blocked, .none: break
        }
      }
      return PlanCredit(author: origin.author, nickname: nickname(of: origin.author), plan: plan)
    }
    return SeenPlan(
      plan: entry.plan,
      authorNickname: nickname(of: entry.plan.author),
      credit: credit,
      isTaken: entry.takers[player] != nil,
      isHidden: entry.isHidden
    )
  }

  private func opened(
    _ entry: Entry,
    for player: PlayerID,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> OpenedPlan {
    OpenedPlan(seen: seen(entry, for: player, players, stories), stops: entry.stops)
  }

  /// Whether a player has this plan.
  func has(_ id: PlanID, of author: PlayerID) -> Bool { entries[id]?.plan.author == author }

  /// Whether a player has made or taken over any plan, or is credited in a copy.
  func keeps(_ player: PlayerID) -> Bool {
    entries.values.contains {
      $0.plan.author == player || $0.takers[player] != nil || $0.plan.origin?.author == player
    }
  }

  /// Deletes a player's plans and takings over, and their credit in others' copies.
  mutating func forget(_ player: PlayerID) {
    entries = entries.filter { $0.value.plan.author != player }
    for id in entries.keys {
      if entries[id]?.takers.removeValue(forKey: player) != nil { entries[id]?.plan.takenOverCount -= 1 }
      if entries[id]?.plan.origin?.author == player { entries[id]?.plan.origin = nil }
    }
  }

  // Reads.

  func plan(
    _ id: PlanID,
    for player: PlayerID,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> OpenedPlan? {
    guard let entry = entries[id] else { return nil }
    switch access(of: player, to: entry, players, stories) {
    case .author, .reader: return opened(entry, for: player, players, stories)
    case .blocked, .none: return nil
    }
  }

  func plans(
    of author: PlayerID,
    before number: Int64?,
    limit: Int,
    _ players: MemoryStories.Players,
    _ stories: MemoryStories
  ) -> PlanPage {
    let own = entries.values.filter { $0.plan.author == author && $0.number < number ?? .max }
      .sorted { $0.number > $1.number }
    let page = own.prefix(limit)
    return PlanPage(
      plans: page.map { seen($0, for: author, players, stories) },
      next: own.count > limit ? page.last?.number : nil
    )
  }
}
