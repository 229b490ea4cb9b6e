// What damage does to a batch: the parts of it that met some are left out, and all else is written. Used on the
// writer's queue. Once SQLite has found its file damaged inside a transaction it commits nothing of that, savepoints or
// not, and writes nothing more in it; so the transaction ends with the part that met damage, and another one does
// without the part.
import GRDB

/// What a batch may be written without.
enum BatchPart: Hashable {
  /// By its place in the batch; nothing of it is written, and its outcome is `.unavailable`.
  case change(Int)
  /// By its place among all of the batch's.
  case closing(Int)
  /// The tally's rows, all of them.
  case rows
}

/// The parts of one batch that are known to meet damage.
struct BatchParts {
  /// A part that was not known to meet damage has.
  private struct Damaged: Error {
    let part: BatchPart
  }

  private var damaged: Set<BatchPart> = []

  private init() {}

  /// Runs `body`, a transaction in which parts are written by `write`, until it meets no damage in any of them: once
  /// more for each that does.
  static func withoutDamaged<Value>(_ body: (BatchParts) throws -> Value) throws -> Value {
    var parts = BatchParts()
    while true {
      do {
        return try body(parts)
      } catch let error as Damaged {
        let isNew = parts.damaged.insert(error.part).inserted
        precondition(isNew, "what is left out meets no damage")
      }
    }
  }

  /// What came of writing a part, nil if it is left out. An error that is not damage is thrown as it is.
  func write<Value>(_ part: BatchPart, _ body: () throws -> Value) throws -> Value? {
    guard !damaged.contains(part) else { return nil }
    do {
      return try body()
    } catch  where StoreFailure.isDamage(error) {
      throw Damaged(part: part)
    }
  }
}
