// The budgets of tracks: replays for players and behind links, and changes of links and consents.
import Gateway
import MadangProtocol

extension Budget {
  // Each replays a game, up to a second of a processor.
  static let gameTracks = Budget("GAME_TRACKS", for: .player, .perMinute(Limits.gameTracksPerMinute))
  static let gameTracksOfAddress = Budget(
    "GAME_TRACKS",
    for: .address,
    .perMinute(Limits.gameTracksPerMinuteForAddress),
    exemptsLoopback: true
  )
  static let sharedTracksOfAddress = Budget(
    "SHARED_TRACKS",
    for: .address,
    .perMinute(Limits.sharedTracksPerMinuteForAddress),
    exemptsLoopback: true
  )
  static let trackChanges = Budget("TRACK_CHANGES", for: .player, .perMinute(Limits.trackChangesPerMinute))
  static let trackChangesOfAddress = Budget(
    "TRACK_CHANGES",
    for: .address,
    .perMinute(Limits.trackChangesPerMinuteForAddress),
    exemptsLoopback: true
  )

  // Amounts.
  static let waitingTracks = Budget(amountOf: "WAITING_GAME_TRACKS", for: .process)
  static let waitingSharedTracks = Budget(amountOf: "WAITING_SHARED_TRACKS", for: .process)
  static let keptTracks = Budget(amountOf: "KEPT_TRACKS", for: .process)
  static let keptTrackBytes = Budget(amountOf: "KEPT_TRACK_BYTES", for: .process)

  static let ofTracks: [Budget] = [
    .gameTracks, .gameTracksOfAddress, .sharedTracksOfAddress, .trackChanges, .trackChangesOfAddress, .waitingTracks,
    .waitingSharedTracks, .keptTracks, .keptTrackBytes,
  ]
}

extension Tracks {
  package var amounts: [BudgetAmount] {
    let (own, shared) = (context.tracks, context.sharedTracks)
    return [
      BudgetAmount(.waitingTracks, used: own.waiting, bound: own.waitingMax),
      BudgetAmount(.waitingSharedTracks, used: shared.queue.waiting, bound: shared.queue.waitingMax),
      BudgetAmount(.keptTracks, used: context.keptTracks.count, bound: KeptTracks.countMax),
      BudgetAmount(.keptTrackBytes, used: shared.keptBytes, bound: SharedTracks.keptBytesMax),
    ]
  }
}
