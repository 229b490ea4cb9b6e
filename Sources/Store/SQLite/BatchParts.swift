// Damage in a batch: the parts that met damage are left out, and everything else is written. Used on the writer's
// queue. Once SQLite has found its file damaged inside a transaction, it writes nothing more in it and commits nothing
// of it, savepoints or not. So the transaction ends with the part that met damage, and another one runs without it.
import GRDB

/// A part that a batch may be written without.
enum BatchPart: Hashable {
  /// A change by its place in the batch; nothing of it is written, and its outcome is `.unavailable`.
  case change(Int)
  /// A closing by its place among all closings of the batch.
  case closing(Int)
  /// All rows of the tally.
  case rows
}

/// The parts of one batch that are known to meet damage.
struct BatchParts {
  /// A part has met damage that was not known before.
  private struct Damaged: Error {
    let part: BatchPart
  }

  private var damaged: Set<BatchPart> = []

  private init() {}

  /// Runs `body`, a transaction that writes its parts by `write`, until no part meets damage: once more for each
  /// damaged part.
  static func withoutDamaged<Value>(_ body: (BatchParts) throws -> Value) throws -> Value {
    var parts = BatchParts()
    while true {
      do {
        return try body(parts)
      } catch let error as Damaged {
        let isNew = parts.damaged.insert(error.part).inserted
        precondition(isNew, "a skipped part is not damaged again")
      }
    }
  }

  /// Returns the result of writing a part; nil if the part is left out. Rethrows errors that are not damage.
  func write<Value>(_ part: BatchPart, _ body: () throws -> Value) throws -> Value? {
    guard !damaged.contains(part) else { return nil }
    do {
      return try body()
    } catch  where StoreFailure.isDamage(error) {
      throw Damaged(part: part)
    }
  }
}
