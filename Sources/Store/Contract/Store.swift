// What every back end promises to the server and to the commands. One suite (Tests/StoreTests/Contract) proves it over
// each of them. Nothing here names an engine; a back end needs no promise that is not in this folder.
//
// There is a protocol for each feature. `Store` is all of them, and `Change` has what a batch may write.
//
// Writing. The server writes by `CommitStore.commit` alone, a batch at a time.
// - Atomicity: a batch is one transaction. Its journal segments, row changes and the tally's records are there together
//   or not at all. A failure has changed nothing, and the store goes on: a later commit may succeed. A back end that
//   loses sight of a transaction (its connection breaks during the commit) finds out what became of it before it
//   answers.
// - Durability: a success is answered when the batch survives a crash of the process and of the machine.
// - Order: batches are written and answered in the order of the calls, each on top of the one before. Inside a batch
//   segments come first, then rooms that open, then the other changes in their order, then the tally.
// - Refusals: a change that can't be done is an outcome, and does not fail its batch. Damage that a change meets makes
//   that change `unavailable`; everything else of the batch is committed.
// - Idempotence: opening, beginning, ending and closing a second time, a run or a presence that is known, an erasure of
//   nobody, and the same edition of schools change nothing. A batch is not idempotent as a whole: segments are
//   appended.
// - A batch that brings nothing new writes nothing, and is answered without waiting for the disk.
//
// Reading. Each read sees one state: that of some commit, never a part of one. A read that begins after a commit was
// answered sees that commit. Reads with a completion run beside the writer and hold it up at no time. Reads that return
// a value block their caller; they are for the start and for commands, never for a shard's thread.
//
// Opening. A back end has initialisers of its own, and its own means to check a store and to copy it. Opening for
// writing brings an older schema up to date in one transaction, and refuses a newer one (`.newerSchema`) and data that
// another process has open for writing (`.locked`). Opening for reading changes nothing and goes on beside a writer.
//
// Recovery. A store that is opened has exactly the batches that were answered with success, and perhaps later ones in
// their order that nobody was answered for. `RoomStore.liveRooms` and `TapStore.tally` hand over what the server builds
// its memory from. What is unreadable is reported and left out. It never ends a start, but for rows of the tally.
//
// Maintenance. Segments lie by commit, journals by room. `MaintenanceStore.maintain` moves the first into the second
// and deletes what is no longer needed, in transactions so small that a commit waits for one of them at most. Nothing
// that a read gives depends on whether maintenance has run.
//
// Values. Moments are milliseconds since 1970 (`Instant`), distances millimetres, coordinates 1e-7 degree. Identifiers
// are 16 bytes, digests 32. Texts are compared byte by byte. Unsigned 64-bit numbers use all their bits.
//
// Threads. Every call may come from any thread, at once with others.

/// All that a server and its commands keep beyond a process's life.
package protocol Store: CommitStore, MaintenanceStore, RoomStore, GameStore, AccountStore, DeletionStore, LandStore,
  SchoolStore, TapStore, OperatorStore
{
  /// Waits for the commits that are under way, and ends. Later calls with a completion fail with `.other`, and so does
  /// each erasure that is waited for. It may be called twice. Blocks.
  func close()
}
