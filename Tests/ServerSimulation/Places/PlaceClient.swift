// A player's client of places: watches them, tells fixes, buries and opens capsules, and keeps what it is told.
//
// Owned by its player, whose connection it uses. PlaceClientAnswers.swift handles the answers, PlaceNotifications.swift
// the notifications. A referee knows the fixes and the requests; no rule of the server's is reckoned here.
import MadangProtocol
import Net
import SeededRandom

/// The player whom a client of places belongs to.
protocol PlacePlayer: AnyObject {
  var number: Int { get }
  var playerID: String? { get }
  /// Whether the player is connected and welcome.
  var isReady: Bool { get }
  /// Whether the player never enters a room.
  var isLoner: Bool { get }
  var mayBeDeleted: Bool { get }
  /// The code of the player's room, as the client knows it.
  var roomCode: String? { get }
  /// The time of the request that is being answered, or was last.
  var answeredAskedAt: Timestamp { get }
  /// Whether a request about places is under way that changes the player's capsules, or the watch.
  var isChangingCapsules: Bool { get }
  var isAskingToWatch: Bool { get }

  /// Sends a request that must be answered.
  func ask(_ body: WireClientMessage.OneOf_Body, _ request: PlaceRequest, at now: Timestamp)
}

/// The world that the answers are checked against.
protocol PlaceWorld: AnyObject {
  var capsules: CapsuleReferee { get set }
  var report: Report { get set }
  /// Whether the store has had a fault: answers may call it unavailable.
  var hasStoreFailed: Bool { get }
  var fences: [GroundFence] { get }
  var brokenOnPurpose: BrokenOnPurpose? { get }

  /// Has the referee note who may have been named because they may have been in a room.
  func nameRoommates()
  /// Whether a player surely exists.
  func isKnown(_ player: String) -> Bool
  /// Checks the stored row of a capsule of an owner.
  func checkStored(_ id: String, of owner: String) throws(BrokenRule)
}

final class PlaceClient {
  unowned let player: any PlacePlayer
  unowned let world: any PlaceWorld
  /// Whether the player wants to watch places, across lost connections.
  var wantsWatch = false
  var isWatching = false
  var sent = SentFixes()
  /// The fences that the player is in on this connection, each with the time of entering if that was told.
  var inside: [String: Int64?] = [:]
  var dwelled: Set<String> = []
  /// The capsules that can be opened, as this connection tells.
  var openable: Set<String> = []
  /// Whether the server has told on this connection that it does not believe the player's positions.
  var isSuspect = false
  /// The fixes of a phone without a network.
  var kept: [WireMove] = []
  private var capsulesBuried = 0
  private var textsWritten = 0

  init(of player: any PlacePlayer, in world: any PlaceWorld) {
    self.player = player
    self.world = world
  }

  var playerID: String { player.playerID ?? "" }
  /// The time since which a notification may have been true: reads of the store take a while.
  var notifiedSinceMs: Int64 { player.answeredAskedAt.milliseconds - 1_000 }

  // Watching and walking.

  func watch(at now: Timestamp) {
    wantsWatch = true
    player.ask(.watchPlaces(.init()), .watch, at: now)
  }

  func unwatch(at now: Timestamp) {
    wantsWatch = false
    player.ask(.unwatchPlaces(.init()), .unwatch, at: now)
  }

  /// Notes a fix that any part of the player sends; returns its number.
  @discardableResult
  func note(_ move: WireMove, isForged: Bool = false, at now: Timestamp) -> Int {
    var place = GroundPlace(latE7: move.latE7, lngE7: move.lngE7)
    if world.brokenOnPurpose == .opensFromAfar { place.lat += 0.005 }
    return sent.note(
      place,
      accuracyM: Double(move.accuracyM),
      timeMs: move.hasTimeMs ? move.timeMs : nil,
      isMocked: move.mocked,
      isForged: isForged,
      atMs: now.milliseconds
    )
  }

  /// Tells a fix, which is noted.
  func tell(_ move: WireMove, isForged: Bool = false, at now: Timestamp) {
    player.ask(.move(move), .move(note(move, isForged: isForged, at: now)), at: now)
  }

  /// Tells the kept fixes, the oldest first.
  func tellKept(at now: Timestamp) {
    var moves = WireMoves()
    guard let first = kept.first else { return }
    moves.timeMs = first.timeMs
    var before = first.timeMs
    for move in kept {
      moves.afterMs.append(UInt32(move.timeMs - before))
      before = move.timeMs
      moves.latE7.append(move.latE7)
      moves.lngE7.append(move.lngE7)
      moves.accuracyM.append(move.accuracyM)
    }
    let numbers = kept.map { note($0, at: now) }
    kept = []
    player.ask(.moves(moves), .moves(numbers), at: now)
  }

  // Capsules.

  private func makeText(_ title: String) -> String {
    textsWritten += 1
    return "\(title) 의 글 \(textsWritten)"
  }

  private func makeTitle() -> String {
    capsulesBuried += 1
    return "\(player.number)-\(capsulesBuried)"
  }

  func bury(
    at place: GroundPlace,
    _ memoryDate: String,
    _ share: CapsuleReferee.Share,
    at now: Timestamp
  ) {
    var bury = WireBuryCapsule()
    bury.title = makeTitle()
    bury.text = makeText(bury.title)
    bury.memoryDate = memoryDate
    (bury.latE7, bury.lngE7) = (place.latE7, place.lngE7)
    bury.everyone = share.everyone ?? false
    bury.withPlayers = share.with
    bury.withRoom = share.room != nil
    var record = CapsuleRecord(
      owner: playerID,
      title: bury.title,
      text: bury.text,
      memoryDate: memoryDate,
      place: place,
      everyone: bury.everyone
    )
    for other in share.with { _ = record.mayName(other, true) }
    if let room = share.room { record.rooms.insert(room) }
    world.capsules.mayBury(record)
    player.ask(.buryCapsule(bury), .bury(title: bury.title, text: bury.text, share), at: now)
  }

  func edit(
    _ id: String,
    isNamed: Bool,
    isWritten: Bool,
    _ memoryDate: String?,
    to place: GroundPlace?,
    at now: Timestamp
  ) {
    var edit = CapsuleReferee.Edit(memoryDate: memoryDate, place: place)
    if isNamed { edit.title = makeTitle() }
    if isWritten { edit.text = makeText(edit.title ?? "") }
    var wire = WireEditCapsule()
    wire.capsuleID = id
    if let title = edit.title { wire.title = title }
    if let text = edit.text { wire.text = text }
    if let memoryDate { wire.memoryDate = memoryDate }
    if let place { (wire.latE7, wire.lngE7) = (place.latE7, place.lngE7) }
    let new = world.capsules.mayEdit(id, edit)
    player.ask(.editCapsule(wire), .edit(id, edit, new: new), at: now)
  }

  func share(_ id: String, _ share: CapsuleReferee.Share, at now: Timestamp) {
    var wire = WireShareCapsule()
    wire.capsuleID = id
    if let everyone = share.everyone { wire.everyone = everyone }
    wire.withPlayers = share.with
    wire.withoutPlayers = share.without
    wire.withRoom = share.room != nil
    let new = world.capsules.mayShare(id, share)
    player.ask(.shareCapsule(wire), .share(id, share, new: new), at: now)
  }

  func delete(_ id: String, at now: Timestamp) {
    let wasSure = world.capsules[id]?.presence.isSure ?? false
    world.capsules.mayDelete(id)
    var wire = WireDeleteCapsule()
    wire.capsuleID = id
    player.ask(.deleteCapsule(wire), .delete(id, wasSure: wasSure), at: now)
  }

  /// Tries to delete or change another player's capsule.
  func trespass(_ id: String, deletes: Bool, at now: Timestamp) {
    if deletes {
      var wire = WireDeleteCapsule()
      wire.capsuleID = id
      return player.ask(.deleteCapsule(wire), .trespass, at: now)
    }
    var wire = WireEditCapsule()
    wire.capsuleID = id
    wire.text = "mine"
    player.ask(.editCapsule(wire), .trespass, at: now)
  }

  func open(_ id: String, at now: Timestamp) {
    world.capsules.mayOpen(id, playerID)
    var wire = WireOpenCapsule()
    wire.capsuleID = id
    player.ask(.openCapsule(wire), .open(id), at: now)
  }

  /// Takes a capsule off the list of those that name the player.
  func leave(_ id: String, at now: Timestamp) {
    let isNew = world.capsules.mayLeave(id, playerID)
    var wire = WireLeaveCapsule()
    wire.capsuleID = id
    player.ask(.leaveCapsule(wire), .leave(id, isNew: isNew), at: now)
  }

  func list(at now: Timestamp) {
    var wire = WireListCapsules()
    wire.scope = .own
    wire.limit = 50
    player.ask(.listCapsules(wire), .list, at: now)
  }

  // Connections.

  /// The connection is lost.
  func lose(at now: Timestamp) {
    sent.lose(atMs: now.milliseconds)
    endWatch()
    isSuspect = false
  }

  func endWatch() {
    isWatching = false
    inside = [:]
    dwelled = []
    openable = []
  }

  /// The connection is back: goes on where it was lost.
  func continueAfterWelcome(at now: Timestamp) {
    if wantsWatch { watch(at: now) }
  }

  /// The player is deleted, and the client comes back as another.
  func beDeleted(at now: Timestamp) {
    world.capsules.deleteAll(of: playerID, atMs: now.milliseconds)
    forgetFixes()
  }

  /// The server has forgotten the player's fixes.
  func forgetFixes() {
    sent = SentFixes()
    kept = []
    isSuspect = false
  }
}
