// A store's maintenance and its use of space. Part of the contract.
import Game

/// Maintenance.
package protocol MaintenanceStore: Sendable {
  /// Does all maintenance that is due at `now`; `now` is also the time by which things expire.
  ///
  /// The order follows. Each kind works in transactions of bounded size, and commits get through between them.
  /// 1. Segments that were committed before the call are folded into journals by room.
  /// 2. Journals are deleted when they are no longer needed: those behind a room's newest snapshot, unless a kept game
  ///    needs them. A game's journal is kept until `keepJournals` after the game's end. A closed room is deleted when
  ///    no journal and no game of it is left.
  /// 3. Guests are deleted with their sessions when none of these expires later than `guestSessionsRest` from `now`. A
  ///    guest with a result, a school, a capsule, a picture, a post, a comment, a like, a plan, a taking over of one,
  ///    the credit in a copy of theirs, a sanction, or a room whose journal may hold their texts is kept.
  /// 4. Sessions are deleted `sessionRetention` after they ended or expired. Sanctions are deleted when they are over.
  ///    Guests with nothing left are deleted after that.
  /// 5. Damaged segments are deleted when they are older than `keepJournals`.
  /// 6. Rankings of periods that are over are deleted. Decided proposals are deleted `LandProposal.decidedRetention`
  ///    after their decision. So are the openings of deleted capsules, the pending events of removed targets of
  ///    webhooks, comments on and likes of deleted posts, the takings over of deleted plans, views that no longer keep
  ///    others from counting, and the order by likes of days that `topPostsSpan` no longer reaches. So are media that
  ///    nothing refers to, after `StoredMedia.unusedRetention`, and blobs that no medium names. Minutes of the server's
  ///    history are deleted at the age of `HistoryMinute.retention`.
  /// 7. Players who are marked for erasure are erased, as by `DeletionStore.erase`.
  ///
  /// A failure holds up no other kind of work. The first failure is the answer, and the next call tries again.
  ///
  /// An unreadable segment is set aside and handed to `completion` once. The caller then writes snapshots of all rooms,
  /// so that no recovery needs the segment. Damage that erasures have found meanwhile is handed over too. With a
  /// segment to hand over the answer is a success, whatever else failed.
  ///
  /// Where rows of the tally are no longer written, every call that finishes without a segment to hand over answers
  /// with `.corrupt`.
  ///
  /// The call returns at once, on any thread.
  func maintain(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>)

  /// The store's use of its space, as of the last commit or maintenance transaction. Nil for a store without a
  /// measurable space of its own. It returns at once, on any thread.
  var usage: StoreUsage? { get }
}
