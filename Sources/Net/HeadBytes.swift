// The bytes of a head that comes in pieces. A head that lies whole in one piece is parsed there, without a copy.
//
// A value of one connection.

struct HeadBytes {
  private var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes(body)
  }

  mutating func append(_ piece: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: piece)
  }

  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Calls `parse` with all bytes of the head so far; keeps them when they are too few.
  mutating func gather<Head, Failure: Error>(
    _ piece: UnsafeMutableRawBufferPointer,
    _ offset: inout Int,
    parse: (UnsafeRawBufferPointer) throws(Failure) -> (head: Head, byteCount: Int)?
  ) throws(Failure) -> Head? {
    let rest = UnsafeRawBufferPointer(rebasing: piece[offset...])
    let kept = bytes.count
    let parsed: (head: Head, byteCount: Int)?
    if kept == 0 {
      parsed = try parse(rest)
    } else {
      bytes.append(contentsOf: rest)
      let result: Result<(head: Head, byteCount: Int)?, Failure> = bytes.withUnsafeBytes { all in
        do throws(Failure) {
          return .success(try parse(all))
        } catch {
          return .failure(error)
        }
      }
      parsed = try result.get()
    }
    guard let parsed else {
      if kept == 0 { bytes.append(contentsOf: rest) }
      offset = piece.count
      return nil
    }
    offset += parsed.byteCount - kept
    bytes = []
    return parsed.head
  }
}
