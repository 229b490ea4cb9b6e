// The work of a store that no request asks for, and what it uses of its room. Part of the contract.
import Game

/// Maintenance.
package protocol MaintenanceStore: Sendable {
  /// Does all the maintenance that is due at `now`, which is the time by which things expire.
  ///
  /// In this order, each kind in transactions of bounded size between which commits get through:
  /// 1. Segments that were committed before the call are folded into journals by room.
  /// 2. Journals are deleted as far as nobody needs them: behind a room's newest snapshot, unless a game that is kept
  ///    needs them. A game's journal is kept until `keepJournals` after the game's end. A closed room goes when neither
  ///    a journal nor a game of it is left.
  /// 3. Guests are deleted with their sessions when none of these expires later than `guestSessionsRest` from `now`. A
  ///    guest stays who has a result, a school, a sanction, or a room whose journal may have their texts.
  /// 4. Sessions are deleted `sessionRetention` after they ended or expired, sanctions when they are over, and each
  ///    guest who has nothing left then.
  /// 5. Damaged segments are deleted when they are older than `keepJournals`.
  /// 6. Players who are marked for it are erased, as by `DeletionStore.erase`.
  ///
  /// What fails holds up no other kind of work. The first failure is the answer, and the next call tries again.
  ///
  /// A segment that can't be read is set aside, and handed to `completion` once: the caller writes all rooms down anew,
  /// so that no recovery needs it. Damage that erasures have found meanwhile is handed over too. With a
  /// segment to hand over the answer is a success, whatever else failed.
  ///
  /// Where rows of the tally are no longer written, a call that has done all this and has no segment to hand over
  /// answers with `.corrupt`, each time.
  ///
  /// The call returns at once, on any thread.
  func maintain(at now: Instant, keepJournals: Duration, _ completion: @escaping Completion<[DamagedSegment]>)

  /// What the store uses of the room that it has, as of the last commit or transaction of maintenance; nil for a store
  /// that has no room of its own to measure. It returns at once, on any thread.
  var usage: StoreUsage? { get }
}
