// An open PMTiles archive: its tiles, read when they are asked for.
//
// Immutable but for the directories that it keeps, which a lock guards; reads block. The file is never in memory as a
// whole, and whatever it holds ends as an error: a length counts only once it has been held against a bound.
// Decisions: 147 (docs/decisions).
import Cryptography
import Glibc
import Locks
import WebSocket

package final class TileArchive: Sendable {
  /// The most bytes of a tile.
  static let tileBytesMax = 2 << 20
  /// Directories below directories; archives have one, large ones two.
  private static let depthMax = 4
  /// The most entries that are kept of directories below the first: 24 bytes each.
  private static let entriesKeptMax = 524_288

  private struct Kept {
    var directories: [UInt64: (directory: TileDirectory, usedAt: UInt64)] = [:]
    var entries = 0
    var clock: UInt64 = 0
  }

  let header: TileArchiveHeader
  /// The metadata, a JSON text; empty without any.
  let metadata: [UInt8]
  /// Another one for each content, as far as the header and the first directory tell it.
  let version: String
  /// The length of the file when it was opened.
  let byteCount: Int
  private let descriptor: Int32
  private let root: TileDirectory
  private let kept = OrderedMutex(.leaf, Kept())

  /// Opens a file, and reads its header, its metadata and its first directory.
  ///
  /// - Throws: `MapFault` where it can't be read, or is no archive of vector tiles.
  package init(_ path: String) throws(MapFault) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw MapFault("it can't be opened: \(String(cString: strerror(errno)))") }
    do throws(MapFault) {
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw MapFault("it is no plain file")
      }
      let byteCount = Int(status.st_size)
      let first = try Self.read(0..<min(TileArchiveHeader.byteCount, byteCount), of: descriptor)
      let header = try TileArchiveHeader(first, fileByteCount: byteCount)
      let root = try Self.read(header.root, of: descriptor)
      self.root = try TileDirectory(Self.unpacked(root, header))
      metadata = header.metadata.isEmpty ? [] : try Self.unpacked(Self.read(header.metadata, of: descriptor), header)
      version = String(Hexadecimal.encode(Digest.sha256(first + root)).prefix(16))
      (self.header, self.byteCount, self.descriptor) = (header, byteCount, descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// The bytes of a tile as the file has them; nil where it has none there. Blocks.
  ///
  /// - Throws: `MapFault` where the file is damaged.
  package func tile(_ address: TileAddress) throws(MapFault) -> [UInt8]? {
    guard header.zooms.contains(address.zoom) else { return nil }
    let number = address.number
    var directory = root
    for _ in 0..<Self.depthMax {
      guard let entry = directory.entry(of: number) else { return nil }
      guard entry.runLength == 0 else {
        guard entry.byteCount <= Self.tileBytesMax else { throw MapFault("a tile has \(entry.byteCount) bytes") }
        return try read(entry, of: header.tiles)
      }
      directory = try self.directory(below: entry)
    }
    throw MapFault("its directories are too deep")
  }

  /// Bytes of the file itself. Blocks.
  ///
  /// - Throws: `MapFault` where the file has fewer.
  func bytes(_ range: Range<Int>) throws(MapFault) -> [UInt8] { try Self.read(range, of: descriptor) }

  private func directory(below entry: TileDirectory.Entry) throws(MapFault) -> TileDirectory {
    let known = kept.withLock { kept -> TileDirectory? in
      kept.clock += 1
      kept.directories[entry.offset]?.usedAt = kept.clock
      return kept.directories[entry.offset]?.directory
    }
    if let known { return known }
    guard entry.byteCount <= TileArchiveHeader.directoryBytesMax else {
      throw MapFault("a directory has \(entry.byteCount) bytes")
    }
    let directory = try TileDirectory(Self.unpacked(read(entry, of: header.leaves), header))
    kept.withLock { kept in
      guard kept.directories.updateValue((directory, kept.clock), forKey: entry.offset) == nil else { return }
      kept.entries += directory.entries.count
      while kept.entries > Self.entriesKeptMax, kept.directories.count > 1,
        let oldest = kept.directories.min(by: { $0.value.usedAt < $1.value.usedAt })
      {
        kept.directories[oldest.key] = nil
        kept.entries -= oldest.value.directory.entries.count
      }
    }
    return directory
  }

  private func read(_ entry: TileDirectory.Entry, of section: Range<Int>) throws(MapFault) -> [UInt8] {
    let (end, isTooLarge) = entry.offset.addingReportingOverflow(UInt64(entry.byteCount))
    guard !isTooLarge, end <= UInt64(section.count) else { throw MapFault("a tile or a directory lies elsewhere") }
    let offset = section.lowerBound + Int(entry.offset)
    return try Self.read(offset..<offset + Int(entry.byteCount), of: descriptor)
  }

  private static func unpacked(_ bytes: [UInt8], _ header: TileArchiveHeader) throws(MapFault) -> [UInt8] {
    guard header.hasPackedDirectories else { return bytes }
    guard let unpacked = Gzip.decompress(bytes, bytesMax: 4 * TileArchiveHeader.directoryBytesMax) else {
      throw MapFault("a directory or the metadata are damaged")
    }
    return unpacked
  }

  private static func read(_ range: Range<Int>, of descriptor: Int32) throws(MapFault) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<range.count])
        let read = pread(descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + count))
        if read < 0, errno == EINTR { continue }
        if read < 0 { failure = errno }
        guard read > 0 else { break }
        count += read
      }
    }
    guard bytes.count == range.count else {
      throw MapFault(failure == 0 ? "it ends early" : "it can't be read: \(String(cString: strerror(failure)))")
    }
    return bytes
  }
}
