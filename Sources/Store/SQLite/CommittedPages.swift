// The pages of commits as they lie in the database's log. A value, made on the writer's queue.
//
// A frame of the log is a header of 24 bytes and a page: https://sqlite.org/fileformat2.html#walformat.

/// The frames that commits have appended to the log, whole commits alone.
package struct CommittedPages: Sendable {
  static let logHeaderByteCount = 32
  static let frameHeaderByteCount = 24

  /// The size of a page, bytes.
  package let pageBytes: Int
  /// The size of the database behind the last of the commits, in pages.
  package let databasePageCount: UInt32
  private let frames: [UInt8]

  /// Reads frames; `salts` are those of the log's header. Nil for bytes that are no whole commits of this log.
  init?(frames: [UInt8], pageBytes: Int, salts: ArraySlice<UInt8>) {
    let frameBytes = pageBytes + Self.frameHeaderByteCount
    guard !frames.isEmpty, frames.count.isMultiple(of: frameBytes) else { return nil }
    for start in stride(from: 0, to: frames.count, by: frameBytes) {
      guard frames[(start + 8)..<(start + 16)].elementsEqual(salts), frames.bigEndian(at: start) > 0 else { return nil }
    }
    // Only the last frame of a commit has the size of the database.
    let databasePageCount = frames.bigEndian(at: frames.count - frameBytes + 4)
    guard databasePageCount > 0 else { return nil }
    self.pageBytes = pageBytes
    self.databasePageCount = databasePageCount
    self.frames = frames
  }

  /// Calls `body` with each page and its number, from 1, in the order of their writing: a page may come again, newer.
  package func forEach(_ body: (UInt32, UnsafeRawBufferPointer) -> Void) {
    let frameBytes = pageBytes + Self.frameHeaderByteCount
    frames.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: frameBytes) {
        let page = (start + Self.frameHeaderByteCount)..<(start + frameBytes)
        body(frames.bigEndian(at: start), UnsafeRawBufferPointer(rebasing: bytes[page]))
      }
    }
  }
}

/// Receives pages on the writer's queue, right behind each commit. It must not block.
package protocol PageReceiver: AnyObject, Sendable {
  func take(_ pages: CommittedPages)

  /// Pages of a commit could not be read, for this reason. Nothing more comes.
  func lose(_ why: String)
}

extension [UInt8] {
  /// The number in the four bytes from `index` on.
  func bigEndian(at index: Int) -> UInt32 {
    self[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
