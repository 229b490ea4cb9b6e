// Burying, editing, sharing, deleting and opening capsules.
//
// On the shard's queue. Each change is a change of a commit, and is answered with its outcome. A capsule that a player
// may not see is to them one that does not exist.
// Decisions: 111 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Places {
  func buryCapsule(_ wire: WireBuryCapsule, _ request: PlayerRequest) {
    let capsule: Capsule
    let named: [PlayerID]
    do throws(CapsuleRefusal) {
      let place = try CapsuleField.place(wire.hasLatE7 ? wire.latE7 : nil, wire.hasLngE7 ? wire.lngE7 : nil)
      capsule = Capsule(
        id: CapsuleID(gateway.context.drawNumber(UInt128.self)),
        owner: request.player,
        title: try CapsuleField.title(wire.title),
        text: try CapsuleField.text(wire.text),
        pictures: try CapsuleField.pictures(wire.pictures),
        memoryDay: try CapsuleField.day(wire.memoryDate, at: gateway.now),
        place: place,
        buriedAt: gateway.now,
        isForEveryone: wire.everyone
      )
      named = try CapsuleField.players(wire.withPlayers) + roommates(request, areAsked: wire.withRoom)
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard named.count <= Capsule.namedMax else { return request.refuse(.tooManyShares) }
    guard pay(for: request, bytes: capsule.byteCount + Self.nameBytes * Int64(named.count)) else { return }
    commit(.bury(capsule, sharedWith: named), request)
  }

  func editCapsule(_ wire: WireEditCapsule, _ request: PlayerRequest) {
    var edit: CapsuleEdit
    do throws(CapsuleRefusal) {
      edit = CapsuleEdit(id: try CapsuleField.id(wire.capsuleID), owner: request.player, at: gateway.now)
      if wire.hasTitle { edit.title = try CapsuleField.title(wire.title) }
      if wire.hasText { edit.text = try CapsuleField.text(wire.text) }
      if wire.hasPictures { edit.pictures = try CapsuleField.pictures(wire.pictures.mediaIds) }
      if wire.hasMemoryDate { edit.memoryDay = try CapsuleField.day(wire.memoryDate, at: gateway.now) }
      if wire.hasLatE7 || wire.hasLngE7 {
        edit.place = try CapsuleField.place(wire.hasLatE7 ? wire.latE7 : nil, wire.hasLngE7 ? wire.lngE7 : nil)
      }
    } catch {
      return request.refuse(error.code, error.text)
    }
    let bytes = Int64((edit.title?.utf8.count ?? 0) + (edit.text?.utf8.count ?? 0))
    guard pay(for: request, bytes: bytes) else { return }
    commit(.edit(edit), request)
  }

  func shareCapsule(_ wire: WireShareCapsule, _ request: PlayerRequest) {
    let id: CapsuleID
    let (with, without): ([PlayerID], [PlayerID])
    do throws(CapsuleRefusal) {
      id = try CapsuleField.id(wire.capsuleID)
      with = try CapsuleField.players(wire.withPlayers) + roommates(request, areAsked: wire.withRoom)
      without = try CapsuleField.players(wire.withoutPlayers)
    } catch {
      return request.refuse(error.code, error.text)
    }
    guard pay(for: request, bytes: Self.nameBytes * Int64(with.count + without.count)) else { return }
    let everyone = wire.hasEveryone ? wire.everyone : nil
    commit(.share(id, owner: request.player, everyone: everyone, with: with, without: without), request)
  }

  func deleteCapsule(_ wire: WireDeleteCapsule, _ request: PlayerRequest) {
    guard let id = CapsuleID(wire.capsuleID) else { return request.refuse(.capsuleNotFound) }
    guard pay(for: request) else { return }
    commit(.delete(id, owner: request.player), request)
  }

  /// Takes a capsule that names the player off their list.
  func leaveCapsule(_ wire: WireLeaveCapsule, _ request: PlayerRequest) {
    guard let id = CapsuleID(wire.capsuleID) else { return request.refuse(.capsuleNotFound) }
    guard pay(for: request) else { return }
    commit(.leave(id, request.player), request)
  }

  /// The players who are in the sender's room now, apart from the sender.
  private func roommates(_ request: PlayerRequest, areAsked: Bool) throws(CapsuleRefusal) -> [PlayerID] {
    guard areAsked else { return [] }
    guard let room = request.session.room else { throw CapsuleRefusal(.notInRoom) }
    return room.room.members.map(\.id).filter { $0 != request.player }
  }

  /// The most players whom one refusal names.
  private static let fullNamesMax = 10
  /// The bytes of a change without its texts: rows and their indices.
  private static let changeBytes: Int64 = 400
  /// The bytes of a player's name on a capsule, or of an opening.
  private static let nameBytes: Int64 = 100

  /// Charges a change of a capsule with so many bytes of text; false, and the request is refused, when a budget is
  /// spent.
  private func pay(for request: PlayerRequest, bytes: Int64 = 0) -> Bool {
    guard gateway.payForChange(request, .capsuleChanges, ofAddress: .capsuleChangesOfAddress) else { return false }
    gateway.chargeJournal(of: request.session, bytes: Self.changeBytes + bytes)
    return true
  }

  private func commit(_ change: CapsuleChange, _ request: PlayerRequest) {
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: change, for: request.session, orElse: giveUp) { [self] outcome, session in
      note(outcome, of: change, request)
      guard session != nil else { return }
      switch outcome {
      case .buried(let capsule), .edited(let capsule), .shared(let capsule):
        request.reply(.capsule(WireCapsule(capsule, for: request.session)))
      case .deleted, .left: request.reply(.ok(WireOk()))
      case .opened(let capsule, let isFirst): tell(capsule, isFirst, request)
      case .tooMany: request.refuse(change.isBurial ? .tooManyCapsules : .tooManyShares)
      case .full(let players):
        let names = players.prefix(Self.fullNamesMax).map(\.description).joined(separator: ", ")
        request.refuse(.tooManyShares, "no more can be shared with \(names)")
      case .notFound: request.refuse(.capsuleNotFound)
      case .placeChanged: request.refuse(.outOfReach)
      case .mediaNotFound: request.refuse(.mediaNotFound)
      case .unavailable: request.refuseForStore()
      }
    }
  }

  /// Counts an outcome, and lets the owner's own watch know of it.
  private func note(_ outcome: CapsuleOutcome, of change: CapsuleChange, _ request: PlayerRequest) {
    switch outcome {
    case .buried(let capsule):
      statistics.capsulesBuried += 1
      put(capsule, for: request)
    case .edited(let capsule): put(capsule, for: request)
    case .deleted:
      if case .delete(let id, _) = change { remove(id, for: request) }
    case .opened(_, let isFirst):
      statistics.capsulesOpened += 1
      if isFirst { statistics.capsulesFirstOpened += 1 }
    case .shared, .left, .tooMany, .full, .notFound, .placeChanged, .mediaNotFound, .unavailable: break
    }
  }

  // Opening.

  /// Answers with an opened capsule, with its pictures' addresses.
  private func tell(_ capsule: Capsule, _ isFirst: Bool, _ request: PlayerRequest) {
    guard !capsule.pictures.isEmpty else {
      return request.reply(.openedCapsule(WireOpenedCapsule(capsule, [], isFirst, request)))
    }
    awaitAnswer(for: request) { answer in
      media.pictures(capsule.pictures, answer)
    } then: { _, request, found in
      switch found {
      case .success(let pictures):
        request.reply(.openedCapsule(WireOpenedCapsule(capsule, pictures, isFirst, request)))
      case .failure: request.refuseForStore()
      }
    }
  }

  /// Opens a capsule for a player who is at its place, by the newest believed fix.
  func openCapsule(_ wire: WireOpenCapsule, _ request: PlayerRequest) {
    guard let id = CapsuleID(wire.capsuleID) else { return request.refuse(.capsuleNotFound) }
    guard gateway.payForQuery(request) else { return }
    awaitAnswer(for: request) { answer in
      gateway.context.store.capsule(id, visibleTo: request.player, answer)
    } then: { places, request, found in
      switch found {
      case .success(let capsule?): places.open(capsule, request)
      case .success(nil): request.refuse(.capsuleNotFound)
      case .failure: request.refuseForStore()
      }
    }
  }

  private func open(_ capsule: CapsuleSummary, _ request: PlayerRequest) {
    let now = gateway.now
    guard !request.session.isSuspectInRoom else { return request.refuse(.positionNotBelieved) }
    let opening = presences.change(request.player, by: request.session.state.number, at: now) { presence in
      presence.opening(of: capsule.place, at: now)
    }
    switch opening {
    case .opens: break
    case .notBelieved: return request.refuse(.positionNotBelieved)
    case .outOfReach: return request.refuse(.outOfReach)
    case .fixNeeded, nil: return request.refuse(.fixNeeded)
    }
    guard gateway.canPromise else { return request.refuseForStore() }
    gateway.chargeJournal(of: request.session, bytes: Self.nameBytes)
    commit(.open(capsule.id, request.player, place: capsule.place, at: now), request)
  }
}

extension CapsuleChange {
  fileprivate var isBurial: Bool { if case .bury = self { true } else { false } }
}
