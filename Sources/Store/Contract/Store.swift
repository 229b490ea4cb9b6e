// The promises of every back end to the server and to the commands. One suite (Tests/StoreTests/Contract) proves them
// over each. Nothing here names an engine, and a back end needs no promise outside this folder.
//
// Each feature has a protocol. `Store` combines them, and `Change` lists the changes that a batch may write.
//
// Writing. The server writes by `CommitStore.commit` alone, a batch at a time.
// - Atomicity: a batch is one transaction. Its journal segments, row changes and the tally's records are there together
//   or not at all. A failure has changed nothing, and the store goes on: a later commit may succeed. A back end that
//   loses track of a transaction (its connection breaks during the commit) finds out its outcome before it answers.
// - Durability: a success is answered when the batch survives a crash of the process and of the machine.
// - Order: batches are written and answered in the order of the calls, each on top of the one before. Inside a batch
//   segments come first, then rooms that open, then the other changes in their order, then the tally.
// - Refusals: a change that is refused has an outcome that says so, and does not fail its batch. A change that meets
//   damage is `unavailable`; everything else of the batch is committed.
// - Idempotence: opening, beginning, ending and closing a second time, a known run or presence, an erasure of nobody,
//   the same edition of schools, a second proposal from one game, the same capsule, fence, webhook, post, comment,
//   medium or plan again, a second like, and a player's second opening of a capsule change nothing, and earn nothing. A
//   batch as a whole is not idempotent: segments are appended.
// - A batch that brings nothing new writes nothing, and is answered without waiting for the disk.
//
// Reading. Each read sees the state of one commit, never a part of one. A read that begins after a commit was answered
// sees that commit. Reads with a completion run beside the writer and never hold it up. Reads that return a value block
// their caller; they are for the start and for commands, never for a shard's queue.
//
// Opening. A back end has its own initialisers, and its own ways to check and to copy a store. Opening for writing
// upgrades an older schema in one transaction, and refuses a newer one (`.newerSchema`) and data that another process
// has open for writing (`.locked`). Opening for reading changes nothing and works beside a writer.
//
// Recovery. An opened store has exactly the batches that were answered with success, and perhaps later ones in their
// order that were never answered. `RoomStore.liveRooms` and `TapStore.tally` hand over the data that the server builds
// its memory from. Unreadable data is reported and left out. It never ends a start, except for rows of the tally.
//
// Maintenance. Segments are stored by commit, journals by room. `MaintenanceStore.maintain` folds segments into
// journals and deletes data that is no longer needed. Its transactions are so small that a commit waits for at most one
// of them. No read depends on whether maintenance has run.
//
// Values. Moments are milliseconds since 1970 (`Instant`), distances millimetres, coordinates 1e-7 degree. Identifiers
// are 16 bytes, digests 32. Texts are compared byte by byte. Unsigned 64-bit numbers use all their bits.
//
// Threads. Every call may come from any thread, concurrently with others.

/// All data that a server and its commands keep beyond a process's life.
package protocol Store: CommitStore, MaintenanceStore, RoomStore, GameStore, AccountStore, DeletionStore, LandStore,
  ProposalStore, SchoolStore, TapStore, OperatorStore, CapsuleStore, FenceStore, WebhookStore, StoryStore, MediaStore,
  BlobStore, PlanStore, ProfileStore, ModerationStore, PlayerFindingStore, TrackStore, HistoryStore
{
  /// Waits for the commits in progress, and ends. Later calls with a completion fail with `.other`, and so does each
  /// erasure that is waited for. It may be called twice. Blocks.
  func close()
}
