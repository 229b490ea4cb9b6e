// The owner of a copy: the data folder whose server writes it. A file in the copy names it, and a file in the data
// folder says who that is.
//
// Used by the copy's queue of generations, which blocks; any thread may ask whether the copy is this server's. It never
// takes a copy from another server: that is an operator's act, `madang take-over`.
// Decisions: 160, 167 (docs/decisions).
import Cryptography
import Glibc
import Synchronization

package struct CopyOwner: Hashable, Sendable {
  /// The identifier of the data folder. No backup and no copy has it, so a restored folder is another one.
  package let folder: String
  /// The start of the server that writes; nil behind a takeover, before that server has written. A data folder that was
  /// copied whole has the same identifier, and its server another start.
  package let start: String?

  package init(folder: String, start: String?) {
    (self.folder, self.start) = (folder, start)
  }

  private static let none = "-"

  /// Reads the content of the file; nil for anything else.
  init?(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 2, Self.isIdentifier(words[0]), words[1] == Self.none || Self.isIdentifier(words[1]) else {
      return nil
    }
    self.init(folder: words[0], start: words[1] == Self.none ? nil : words[1])
  }

  private var text: String { "\(folder) \(start ?? Self.none)\n" }

  /// The owner that a copy names; nil where it names none yet.
  package static func read(from destination: any CopyDestination) throws(CopyFailure) -> CopyOwner? {
    guard let bytes = try destination.find(CopyNames.owner) else { return nil }
    guard let owner = CopyOwner(String(decoding: bytes, as: UTF8.self)) else {
      throw CopyFailure("the file \(CopyNames.owner) of the copy is damaged: madang take-over writes it anew")
    }
    return owner
  }

  package func write(to destination: any CopyDestination) throws(CopyFailure) {
    try destination.put(CopyNames.owner, Array(text.utf8))
  }

  /// The other server whose copy this is, where a data folder has never had a copy. Such a folder's server does not
  /// start: nobody plays there yet, and nothing would be copied. A server that has had a copy goes on without it. Nil
  /// where the copy can't be looked at too, for then it is tried again.
  package static func stranger(at destination: any CopyDestination, for folder: String) -> CopyOwner? {
    do throws(CopyFailure) {
      guard try identifier(in: folder) == nil else { return nil }
      return try read(from: destination)
    } catch {
      return nil
    }
  }

  // The data folder's identifier.

  private static let digits = 32

  static func makeIdentifier() -> String { Hexadecimal.encode(RandomBytes.make(count: digits / 2)) }

  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  private static func path(in folder: String) -> String { "\(folder)/madang.copies" }

  /// The identifier of a data folder that is there; nil before one was needed.
  package static func identifier(in folder: String) throws(CopyFailure) -> String? {
    let path = path(in: folder)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw CopyFailure("can't read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self).filter { !$0.isWhitespace }
    guard isIdentifier(text) else { throw CopyFailure("\(path) is damaged: delete it, and see madang take-over") }
    return text
  }

  /// The identifier of a data folder, made at its first use.
  package static func identifier(of folder: String) throws(CopyFailure) -> String {
    if let known = try identifier(in: folder) { return known }
    let new = makeIdentifier()
    let path = path(in: folder)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let bytes = Array("\(new)\n".utf8)
    guard descriptor >= 0 else { throw CopyFailure("can't write \(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      unlink(path)
      throw CopyFailure("can't write \(path): \(String(cString: strerror(errno)))")
    }
    return new
  }
}

/// Whether a copy is this server's.
package final class CopyOwnership: Sendable {
  private let destination: any CopyDestination
  private let folder: String
  private let start = CopyOwner.makeIdentifier()
  private let isHeld = Atomic<Bool>(false)
  private let isLost = Atomic<Bool>(false)
  /// This start has owned the copy before.
  private let hasHeld = Atomic<Bool>(false)

  /// For a server on a data folder.
  package init(of folder: String, to destination: any CopyDestination) {
    (self.folder, self.destination) = (folder, destination)
  }

  /// Whether the copy was this server's when it was looked at last.
  var isOwn: Bool { isHeld.load(ordering: .relaxed) }

  /// Whether it was another server's then.
  var isAnothers: Bool { isLost.load(ordering: .relaxed) }

  /// Looks at who owns the copy, and takes one that nobody else owns.
  ///
  /// - Throws: `CopyFailure` where another server owns it, or it can't be looked at.
  package func confirm() throws(CopyFailure) {
    let own = CopyOwner(folder: try CopyOwner.identifier(of: folder), start: start)
    let present = try CopyOwner.read(from: destination)
    if present != own {
      if let present {
        // A start before this one is over: a data folder has one server at a time.
        let isFree = present.folder == own.folder && (present.start == nil || !hasHeld.load(ordering: .relaxed))
        guard isFree else { throw lost(to: present) }
      }
      try own.write(to: destination)
      // Another may have taken it in the same moment.
      if let now = try CopyOwner.read(from: destination), now != own { throw lost(to: now) }
    }
    isHeld.store(true, ordering: .relaxed)
    isLost.store(false, ordering: .relaxed)
    hasHeld.store(true, ordering: .relaxed)
  }

  private func lost(to other: CopyOwner) -> CopyFailure {
    isHeld.store(false, ordering: .relaxed)
    isLost.store(true, ordering: .relaxed)
    return CopyFailure(
      """
      another server has the copy for itself, on the data folder with the identifier \(other.folder): give each server a \
      place of its own, or end that one and run madang take-over
      """
    )
  }
}
