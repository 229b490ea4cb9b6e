// A copy as it lies in its destination: its generations, and the database that one makes. Blocks.
//
// Bytes of a copy are believed only where their digests say so: what is damaged or missing ends a generation there.
// Decisions: 153 (docs/decisions).
import Game
import Glibc
import Store

package struct StoredCopy: Sendable {
  /// The moment that a database was restored to.
  package struct Point: Hashable, Sendable {
    package let generation: String
    /// The time of the last commit in it.
    package let through: Instant
    package let deltas: UInt64
    /// The reason why later deltas or generations were left out; nil where there are none.
    package let fault: String?
  }

  private let destination: any CopyDestination

  package init(_ destination: any CopyDestination) {
    self.destination = destination
  }

  /// Makes a database of the newest generation that gives one: a file that is not there yet. With `until` it has no
  /// commit behind that moment.
  ///
  /// - Throws: `CopyFailure` where no generation gives one; the file is then gone.
  package func restore(to file: String, until: Instant? = nil) throws(CopyFailure) -> Point {
    var faults: [String] = []
    let ids = try destination.entries(in: CopyNames.generations).folders.sorted(by: >)
    guard !ids.isEmpty else { throw CopyFailure("there is no copy of a store") }
    for id in ids {
      let files = try destination.entries(in: CopyNames.folder(id)).files
      guard files.contains(CopyNames.whole) else { continue }
      do throws(CopyFailure) {
        let point = try restore(StoredGeneration(id, files: files), to: file, until: until)
        let fault = (faults + [point.fault].compactMap { $0 }).joined(separator: "; ")
        return Point(
          generation: id,
          through: point.through,
          deltas: point.deltas,
          fault: fault.isEmpty ? nil : fault
        )
      } catch {
        guard error.isOfGeneration else { throw error }
        faults.append("generation \(id): \(error)")
        unlink(file)
      }
    }
    throw CopyFailure(faults.isEmpty ? "no snapshot of the copy is complete" : faults.joined(separator: "; "))
  }

  private func restore(
    _ generation: StoredGeneration,
    to path: String,
    until: Instant?
  ) throws(CopyFailure) -> Point {
    let folder = CopyNames.folder(generation.id)
    let mark = String(decoding: try destination.get("\(folder)/\(CopyNames.whole)"), as: UTF8.self)
    let numbers = mark.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
    guard numbers.count == 2, numbers[0] > 0 else { throw .ofGeneration("the mark of its completeness is damaged") }
    let (needed, pieceCount) = (numbers[0], numbers[1])
    let deltas = generation.files.compactMap { name in CopyNames.parts(ofDelta: name).map { (name: name, $0) } }
    let file = try PageTarget(path)
    var pieces: UInt64 = 0
    for name in generation.files where name.hasPrefix(CopyNames.snapshotPrefix) {
      try file.write(try pageFile("\(folder)/\(name)", generation.id, pieces))
      pieces += 1
    }
    guard pieces == pieceCount else {
      throw .ofGeneration("\(pieces) of \(pieceCount) pieces of its snapshot are there")
    }
    var (last, databasePageCount, pageBytes): (Instant?, UInt32, Int) = (nil, 0, 0)
    var (number, fault): (UInt64, String?) = (0, nil)
    for (name, delta) in deltas {
      if let until, delta.moment > until, number >= needed { break }
      do throws(CopyFailure) {
        guard delta.number == number + 1 else { throw CopyFailure.ofGeneration("delta \(number + 1) is missing") }
        let changes = try pageFile("\(folder)/\(name)", generation.id, delta.number)
        try file.write(changes)
        (databasePageCount, pageBytes) = (changes.databasePageCount, changes.pages.pageBytes)
      } catch {
        guard error.isOfGeneration else { throw error }
        fault = "\(error)"
        break
      }
      (number, last) = (delta.number, delta.moment)
    }
    guard let last, number >= needed else {
      throw .ofGeneration(fault ?? "only \(number) of \(needed) deltas are there that its snapshot needs")
    }
    if let until, last > until { throw .ofGeneration("it begins behind the moment that was asked for") }
    try file.finish(byteCount: Int(databasePageCount) * pageBytes)
    return Point(generation: generation.id, through: last, deltas: number, fault: fault)
  }

  private func pageFile(_ name: String, _ generation: String, _ number: UInt64) throws(CopyFailure) -> PageFile {
    guard let file = PageFile(try destination.get(name)), file.generation == generation, file.number == number else {
      throw .ofGeneration("\(name) is damaged")
    }
    return file
  }

  /// The bytes of a picture that is in the copy.
  func picture(_ name: BlobName) throws(CopyFailure) -> [UInt8] { try destination.get(CopyNames.picture(name)) }

  /// Those of some pictures that are in the copy.
  func there(of names: [BlobName]) throws(CopyFailure) -> [BlobName] {
    var folders: [String: Set<String>] = [:]
    var there: [BlobName] = []
    for name in names {
      let files: Set<String>
      if let known = folders[name.prefix] {
        files = known
      } else {
        files = Set(try destination.entries(in: "\(CopyNames.media)/\(name.prefix)").files)
        folders[name.prefix] = files
      }
      if files.contains(name.fileName) { there.append(name) }
    }
    return there
  }
}

/// A database's file that pages are put into.
private final class PageTarget {
  private let descriptor: Int32

  init(_ path: String) throws(CopyFailure) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CopyFailure("opening \(path): \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  func write(_ file: PageFile) throws(CopyFailure) {
    var isWritten = true
    for number in file.pages.numbers {
      let offset = off_t(number - 1) * off_t(file.pages.pageBytes)
      isWritten =
        isWritten
        && file.pages.withPage(number) { pwrite(descriptor, $0.baseAddress, $0.count, offset) == $0.count }
    }
    if !isWritten { throw Self.failure() }
  }

  func finish(byteCount: Int) throws(CopyFailure) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0, fsync(descriptor) == 0 else { throw Self.failure() }
  }

  private static func failure() -> CopyFailure {
    CopyFailure("the restored database can't be written: \(String(cString: strerror(errno)))")
  }
}
