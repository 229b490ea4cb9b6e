// One batch as one transaction: its segments as one row, new rooms, its other changes in order, then the tally's
// changes. Runs on the writer's queue, inside the transaction. A refused change is an outcome. An error thrown here is
// the disk's or the database's and undoes the whole batch. After a database error the batch is written once more
// without the part that met it: one damaged row must not stop everybody.
// Decisions: 046 (docs/decisions).
import GRDB
import Game

/// The writing of one batch.
struct BatchWriting {
  let db: Database
  /// The number of this batch's row of segments.
  let number: Int64
  private let batch: Batch
  private let parts: BatchParts
  private let taps: TapWriting
  /// The bytes of pending events that a target of webhooks may have.
  let webhookBytesMax: Int64

  init(_ batch: Batch, _ parts: BatchParts, _ taps: TapWriting, webhookBytesMax: Int64, on db: Database) throws {
    self.batch = batch
    self.parts = parts
    self.taps = taps
    self.webhookBytesMax = webhookBytesMax
    self.db = db
    number = try db.rows("SELECT COALESCE(MAX(number), 0) FROM segments")[0].value(0, Int64.self) + 1
  }

  var at: Instant { batch.at }
  var expiryAt: Instant { batch.expiryAt }

  func run() throws -> [Outcome] {
    let changedBefore = db.totalChangesCount
    let bytes = batch.segments.count == 1 ? batch.segments[0].bytes : batch.segments.flatMap(\.bytes)
    // Segments come first, because an erasure covers all segments up to this batch's.
    if !bytes.isEmpty { try writeSegment(bytes) }
    // Other changes may refer to rooms that begin with this batch.
    for case .room(.open(let room)) in batch.changes { try open(room) }
    let outcomes = try batch.changes.enumerated().map { index, change in
      try parts.write(.change(index)) { try outcome(of: change) } ?? change.unavailable
    }
    try taps.write(batch.tally, parts, on: db)
    // A batch that wrote anything proves that the server was alive.
    if bytes.isEmpty && (batch.marksTime || db.totalChangesCount > changedBefore) { try writeTime() }
    return outcomes
  }

  /// Stores this batch's time in the newest row. Only changes refer to rows by number. So a batch without changes needs
  /// no row of its own where the newest row has no bytes; else rows would pile up while players only tap.
  private func writeTime() throws {
    let isWritten =
      try batch.changes.isEmpty
      && db.run(
        "UPDATE segments SET at = ? WHERE number = (SELECT MAX(number) FROM segments) AND length(bytes) = 0",
        at
      ) > 0
    if !isWritten { try writeSegment([]) }
  }

  private func writeSegment(_ bytes: [UInt8]) throws {
    try db.run("INSERT INTO segments (number, at, bytes) VALUES (?, ?, ?)", number, at, Blob(bytes))
  }

  private func outcome(of change: Change) throws -> Outcome {
    switch change {
    case .room(let change):
      try write(change)
      return .room(.ok)
    case .game(let change): return .game(try write(change))
    case .session(let change): return .session(try write(change))
    case .account(let change): return .account(try write(change))
    case .deletion(let change):
      try write(change)
      return .deletion(.ok)
    case .sanction(let change): return .sanction(try write(change))
    case .import(let change): return .import(try write(change))
    case .proposal(let change): return .proposal(try write(change))
    case .capsule(let change):
      let progress = ProgressWriting(db: db, at: at)
      return .capsule(try CapsuleWriting(db: db, at: at, progress: progress).write(change), news: progress.news)
    case .webhook(let change): return .webhook(try WebhookWriting(batch: self).write(change))
    case .story(let change):
      let progress = ProgressWriting(db: db, at: at)
      return .story(try StoryWriting(db: db, at: at, progress: progress).write(change), news: progress.news)
    case .media(let change): return .media(try MediaWriting(db: db).write(change))
    case .plan(let change):
      let progress = ProgressWriting(db: db, at: at)
      return .plan(try PlanWriting(db: db, progress: progress).write(change), news: progress.news)
    case .profile(let change): return .profile(try ProfileWriting(db: db, at: at).write(change))
    case .moderation(let change):
      return .moderation(try ModerationWriting(db: db, at: at) { try write($0) }.write(change))
    case .track(let change): return .track(try TrackWriting(db: db).write(change))
    case .minute(let minute):
      try HistoryWriting(db: db).write(minute)
      return .minute(.ok)
    case .audit(let entry):
      try write(entry)
      return .audit(.ok)
    }
  }

  private func write(_ change: DeletionChange) throws {
    switch change {
    case .begin(let player, let at): try Erasure(of: player, on: db).begin(at: at, inSegment: number)
    case .finish(let player, let at): try Erasure(of: player, on: db).mark(at: at, inSegment: number)
    }
  }
}

// Estimates of the written amount.
extension Change {
  fileprivate var rowCount: Int {
    switch self {
    case .import(.lands(let lands, _)): 2 * lands.count
    case .import(.schools(let schools, _, _)): schools.count
    case .import(.fences(let fences, _)): fences.count
    case .capsule(.bury(let capsule, let named)): 20 + named.count + 3 * capsule.pictures.count
    case .capsule(.edit(let edit)): 5 + 3 * (edit.pictures?.count ?? 0)
    case .capsule(.share(_, _, _, let with, let without)): 20 + with.count + without.count
    case .webhook(.event(let event)): 3 + event.players.count
    case .story(.write), .story(.edit), .story(.delete), .story(.hide): 60
    case .story: 14
    case .plan(.takeOver), .plan(.delete): 60
    case .plan: 10
    case .profile: 6
    case .moderation: 60
    default: 1
    }
  }

  /// Of the changes that may bring much.
  fileprivate var byteCount: Int {
    switch self {
    case .import(.fences(let fences, _)): fences.reduce(0) { $0 + $1.bytes.count }
    case .capsule(.bury(let capsule, _)): Int(capsule.byteCount)
    case .webhook(.event(let event)): event.bytes.count
    case .story(.write(let post)): 4 * post.text.utf8.count
    default: 0
    }
  }
}

extension Batch {
  var byteCount: Int {
    segments.reduce(0) { $0 + $1.bytes.count } + tally.reduce(0) { $0 + ($1.segment?.bytes.count ?? 0) }
      + changes.reduce(0) { $0 + $1.byteCount }
  }

  var rowCount: Int { 1 + changes.reduce(0) { $0 + $1.rowCount } + tally.reduce(0) { $0 + $1.rows.count } }
}
