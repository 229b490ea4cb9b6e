// A data folder that is made of a copy, and the check of a copy. Blocks.
import Game
import Glibc
import Store

package enum CopyRestoration {
  /// The outcome of a restoration or a check.
  package struct Outcome: Hashable, Sendable {
    package let point: StoredCopy.Point
    /// The database's faults, a line each.
    package let complaints: [String]
    /// Pictures that the database names and the copy lacks.
    package let missingPictures: Int
  }

  /// Makes a data folder of the newest point of a copy, or of the last one until a moment; it has no store before.
  /// A store with faults is not put there. Missing pictures are counted, and do not prevent it.
  package static func restore(_ copy: StoredCopy, to folder: String, until: Instant? = nil) throws -> Outcome {
    let target = try RestoredFolder(folder)
    defer { target.close() }
    let point = try copy.restore(to: target.file, until: until)
    let named = try target.prepare().filter { !target.has($0) }
    let there = try copy.there(of: named)
    for name in there { try target.put(try copy.picture(name), as: name) }
    let missing = named.count - there.count
    let complaints = try target.check(pictures: missing == 0)
    if complaints.isEmpty { try target.complete() }
    return Outcome(point: point, complaints: complaints, missingPictures: missing)
  }

  /// Checks the newest point of a copy by a database that is made of it in `folder`, which is empty.
  package static func check(_ copy: StoredCopy, in folder: String, until: Instant? = nil) throws -> Outcome {
    let target = try RestoredFolder(folder)
    defer { target.close() }
    let point = try copy.restore(to: target.file, until: until)
    let named = try target.prepare()
    let missing = named.count - (try copy.there(of: named).count)
    return Outcome(point: point, complaints: try target.check(pictures: false), missingPictures: missing)
  }
}
