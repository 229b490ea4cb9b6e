// Requests of tracks: the course of an own game, links to it, and the consent to be seen by links of others.
//
// On the shard's queue; games are replayed on a thread of their own.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Tracks {
  func answerTrack(_ wire: WireGameTrackRequest, _ request: PlayerRequest) {
    guard let game = GameID(wire.gameID) else { return request.refuse(.gameNotFound) }
    guard !request.session.connection.isBehind else {
      return request.refuse(.rateLimited, "take what was sent before", retryAfterMs: 1_000)
    }
    let charges = trackCharges(request)
    if let wait = gateway.budgets.pay(charges, at: gateway.core.now) {
      return request.refuse(.rateLimited, retryAfterMs: wait)
    }
    let (player, store) = (request.player, gateway.context.store)
    let (queue, kept) = (context.tracks, context.keptTracks)
    awaitAnswer(for: request) { (answer: @escaping @Sendable (Result<WireGameTrack, TrackFault>?) -> Void) in
      let isTaken = queue.run {
        do throws(TrackFault) {
          answer(.success(try Self.track(of: player, in: game, from: store, kept)))
        } catch {
          answer(.failure(error))
        }
      }
      if !isTaken { answer(nil) }
    } then: { tracks, request, answer in
      switch answer {
      case .success(let track)?: request.reply(.gameTrack(track))
      case .failure(let fault)?: request.refuse(for: fault)
      case nil:
        tracks.gateway.budgets.giveBack(tracks.trackCharges(request))
        tracks.gateway.budgets.noteRefusal(.waitingTracks)
        request.refuse(.rateLimited, "other games are being replayed", retryAfterMs: 2_000)
      }
    }
  }

  private func trackCharges(_ request: PlayerRequest) -> [Charge] {
    [
      Charge(budget: .gameTracks, payer: .player(request.player)),
      Charge(budget: .gameTracksOfAddress, payer: .address(request.session.connection.address.ip)),
    ]
  }

  /// Replays a game for one of its players; waits for the store.
  private static func track(
    of player: PlayerID,
    in id: GameID,
    from store: any Store,
    _ kept: KeptTracks
  ) throws(TrackFault) -> WireGameTrack {
    let game: StoredGame?
    let sharing: TrackSharing
    let isKept: Bool
    do throws(StoreFailure) {
      game = try store.game(id)
      sharing = try store.trackSharing(of: player, in: id)
      isKept = try store.keepsTrack(of: id)
    } catch {
      throw .store
    }
    guard let game, game.results.contains(where: { $0.player == player }) else { throw .gameNotFound }
    guard isKept else { throw .notKept(nil) }
    var track: WireGameTrack
    if let known = kept[id] {
      track = known
    } else {
      track = WireGameTrack(try GameCourse(of: game, from: store), board: game.results.map(WireBoardRow.init))
      track.gameID = id.description
      kept.keep(track, of: id)
    }
    track.sharing = WireGameSharing(sharing, of: id)
    return track
  }

  func share(_ wire: WireShareGame, _ request: PlayerRequest) {
    guard let game = GameID(wire.gameID) else { return request.refuse(.gameNotFound) }
    let token = TrackToken(drawnBy: gateway.context.configuration.random)
    let link = TrackLink(digest: token.digest, game: game, player: request.player, madeAt: gateway.now)
    let base = request.session.state.ownBase ?? context.joinBase.common
    change(.share(link), of: game, for: request, url: "\(base)/g/\(token.text)")
  }

  func unshare(_ wire: WireUnshareGame, _ request: PlayerRequest) {
    guard let game = GameID(wire.gameID) else { return request.refuse(.gameNotFound) }
    change(.unshare(request.player, game), of: game, for: request)
  }

  func show(_ wire: WireShowWay, _ request: PlayerRequest) {
    guard let game = GameID(wire.gameID) else { return request.refuse(.gameNotFound) }
    change(.show(request.player, game, wire.show), of: game, for: request)
  }

  /// Makes a change, and answers when it is committed.
  private func change(_ change: TrackChange, of game: GameID, for request: PlayerRequest, url: String = "") {
    guard gateway.payForChange(request, .trackChanges, ofAddress: .trackChangesOfAddress) else { return }
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: change, for: request.session, orElse: giveUp) { outcome, session in
      guard session != nil else { return }
      switch outcome {
      case .sharing(let sharing):
        var answer = WireGameSharing(sharing, of: game)
        answer.url = url
        request.reply(.gameSharing(answer))
      case .notFound: request.refuse(.gameNotFound)
      case .notKept: request.refuse(.trackNotKept)
      case .tooMany: request.refuse(.tooManyLinks)
      case .unavailable: request.refuseForStore()
      }
    }
  }
}

extension PlayerRequest {
  fileprivate func refuse(for fault: TrackFault) {
    switch fault {
    case .gameNotFound: refuse(.gameNotFound)
    case .notKept(let why): refuse(.trackNotKept, why)
    case .store: refuseForStore()
    }
  }
}
