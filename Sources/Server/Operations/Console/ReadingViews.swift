// The reading of views, for consoles and for the API: one answer for both.
//
// On the operators' one shard. Game shards and the store are asked, and answer with values; messages are made of them
// on the operators' shard alone.
import ConsoleProtocol
import Game
import Gateway
import Net
import Store

/// Suspects whom no room has, as of some seconds ago.
struct SuspectStrays {
  let tappers: [SuspectTapper]
  let watchers: [Presences.Suspect]
  let readAt: Timestamp

  /// Reading all tappers takes the tally's lock, reading all presences theirs.
  static let secondsMax: Int64 = 5
}

extension Console {
  /// Reads a view for an operator. `completion` is called once, on any thread, with the making of the message, which is
  /// called on this shard. A followed room and a map are read elsewhere: they depend on what was shown before.
  func read(
    _ view: ConsoleView,
    for identity: OperatorIdentity,
    _ completion: @escaping @Sendable (@escaping @Sendable () -> FeedUpdate) -> Void
  ) {
    let store = server.context.gateway.store
    switch view {
    case .rooms(let query):
      server.services.gather {
        query.part(of: $0.rooms.rooms.values)
      } completion: { parts in
        completion { .with { $0.rooms = query.list(of: parts) } }
      }
    case .schools(let limit):
      let schools = server.context.tally.committedRanking.list(first: limit)
      completion { .with { $0.schools = schools } }
    case .suspects: readSuspects(completion)
    case .connections(let query):
      query.answer(from: server) { parts, rows in
        completion { .with { $0.connections = query.list(of: parts, rows) } }
      }
    case .sanctions:
      let moment = server.context.gateway.expiry.now(Instant(core.now))
      store.sanctions(at: moment, limit: SanctionRow.shownMax + 1) { rows in
        completion { .with { $0.sanctions = SanctionRow.list(rows) } }
      }
    case .proposals:
      store.waitingProposals(limit: ProposalRow.shownMax + 1) { rows in
        completion { .with { $0.proposals = ProposalRow.list(rows) } }
      }
    case .audit(let before):
      store.audit(before: before, limit: AuditRow.shownMax + 1) { rows in
        completion { .with { $0.audit = AuditRow.page(rows) } }
      }
    case .operators:
      let list = FeedOperatorList(register, for: identity)
      completion { .with { $0.operators = list } }
    case .webhooks:
      store.webhooks { rows in
        completion { .with { $0.webhooks = WebhookRow.list(rows, for: identity) } }
      }
    case .reports(let query):
      store.moderated(query.filter, after: query.after, limit: ModeratedRow.shownMax + 1) { rows in
        completion { .with { $0.reports = ModeratedRow.page(rows) } }
      }
    case .overview, .room, .places: preconditionFailure("this view is read elsewhere")
    }
  }

  private func readSuspects(_ completion: @escaping @Sendable (@escaping @Sendable () -> FeedUpdate) -> Void) {
    let (strays, schools) = (suspectStrays(), server.context.tally.schools)
    let (watchers, tappers) = (strays.watchers, strays.tappers)
    server.services.gather { [players = Set(tappers.map(\.standing.player) + watchers.map(\.player))] in
      $0.operations.suspects(naming: players)
    } completion: { parts in
      let view = SuspectsView(parts: parts, watchers: watchers, tappers: tappers, schools: schools)
      completion { .with { $0.suspects = view.message } }
    }
  }

  /// The suspects whom no room has: reading them costs more than the rest of the view.
  private func suspectStrays() -> SuspectStrays {
    if let strays, core.now < strays.readAt.advanced(seconds: SuspectStrays.secondsMax) { return strays }
    let (tally, presences) = (server.context.tally, server.context.presences)
    let tappers = tally.suspects.prefix(SuspectTapper.shownMax).map { standing in
      SuspectTapper(standing: standing, counts: tally.latestCounts(of: standing.player))
    }
    let watchers = presences.suspects(at: Instant(core.now), limit: SuspectPlayer.shownMax)
    let found = SuspectStrays(tappers: tappers, watchers: watchers, readAt: core.now)
    strays = found
    return found
  }

  /// Reads the places on a map, all at once. `completion` is called as for `read`.
  func readPlaces(
    on map: MapBox,
    _ completion: @escaping @Sendable (@escaping @Sendable () -> FeedUpdate) -> Void
  ) {
    let context = server.context
    let (fences, totals) = (FencesOnMap(map, in: context.fences.catalogue), context.placeTotals(at: core.now))
    PlacesView.read(map, nil, from: context, at: core.now) { stored in
      completion {
        .with { $0.places = PlacesView(fences: fences, stored: stored, totals: totals).message }
      }
    }
  }

  /// Reads a whole room as its players see it, behind its commit. `completion` is called once, on any thread, with the
  /// making of its JSON, or nil where there is no such room.
  func readRoom(_ id: RoomID, _ completion: @escaping @Sendable ((@Sendable () -> [UInt8])?) -> Void) {
    let (server, moves, back) = (server, server.context.gateway.directory.moves, back())
    server.services.gather {
      $0.rooms.room(id)?.place
    } completion: { places in
      guard let place = places.compactMap({ $0 }).first else {
        // A room that moved meanwhile may have been on no shard when that was looked at.
        guard server.context.gateway.directory.moves != moves else { return completion(nil) }
        return back { $0.readRoom(id, completion) }
      }
      server.services[place.shard].post { service in
        service.operations.follow(id, place.code, since: nil, withMembers: true) { update in
          guard case .whole(let state, _, let members, let authors) = update else {
            guard server.context.gateway.directory.moves != moves else { return completion(nil) }
            return back { $0.readRoom(id, completion) }
          }
          completion { FeedRoom(id, place, members, authors).consoleJSON(with: ["state": state.json]) }
        }
      }
    }
  }
}

extension FeedRoom {
  init(_ id: RoomID, _ place: RoomPlace?, _ members: [RoomMember], _ authors: ChatAuthors) {
    self = .with {
      $0.id = id.description
      if let place { $0.shard = Int64(place.shard) }
      $0.members = members.map(\.message)
      $0.authors = authors.byEvent
    }
  }
}
