// Finds the end of an HTTP/1.1 head and its lines, for requests and responses alike (RFC 9112 §2.1). A value. It looks
// at each byte once, even if the head drips in. It refuses bytes that readers split differently: bare CR, bare LF, NUL
// and other control bytes, folded lines, names that are no tokens.

/// The bounds of one head.
package struct HeadLimits: Sendable {
  /// The most bytes of a head, the empty line included.
  package var bytesMax: Int
  /// The most header fields in a head.
  package var headerCountMax: Int

  package init(bytesMax: Int = 8_192, headerCountMax: Int = 64) {
    precondition(bytesMax > 0 && headerCountMax > 0, "limits of a head are positive")
    self.bytesMax = bytesMax
    self.headerCountMax = headerCountMax
  }
}

/// A reason to refuse a head.
enum HeadFault: Error {
  case malformed(String)
  case tooLarge(String)
}

/// A whole head, cut into its parts.
struct ScannedHead {
  /// The start line without its line end. It lies in the scanned bytes and is valid as long as they are.
  let startLine: Slice<UnsafeRawBufferPointer>
  let headers: [HeaderField]
  /// The length of the head, the empty line included.
  let byteCount: Int
}

struct HeadScanner: Sendable {
  private let limits: HeadLimits
  /// The lines found so far, without their line ends: the start line, then one for each field.
  private var lines: [Range<Int>] = []
  private var lineStart = 0
  private var scannedCount = 0

  init(limits: HeadLimits) {
    self.limits = limits
  }

  /// The head at the start of `bytes`, or nil when its end has not arrived. Until then each call gets the earlier bytes
  /// again with more behind them; after it the scanner is as new.
  mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(HeadFault) -> ScannedHead? {
    precondition(bytes.count >= scannedCount, "the caller keeps the bytes of an unfinished head")
    while scannedCount < bytes.count {
      guard scannedCount < limits.bytesMax else { throw .tooLarge("The head is too large.") }
      let byte = bytes[scannedCount]
      let followsCR = scannedCount > lineStart && bytes[scannedCount - 1] == UInt8(ascii: "\r")
      guard followsCR == (byte == UInt8(ascii: "\n")) else { throw .malformed("A line does not end in CR LF.") }
      guard Self.isAllowed(byte) else { throw .malformed("A control character is in the head.") }
      scannedCount += 1
      if byte == UInt8(ascii: "\n") {
        let line = lineStart..<scannedCount - 2
        if line.isEmpty { return try finish(bytes) }
        // The start line is no field.
        guard lines.count <= limits.headerCountMax else { throw .tooLarge("The head has too many fields.") }
        lines.append(line)
        lineStart = scannedCount
      }
    }
    // No room is left for the empty line.
    guard scannedCount < limits.bytesMax else { throw .tooLarge("The head is too large.") }
    return nil
  }

  private mutating func finish(_ bytes: UnsafeRawBufferPointer) throws(HeadFault) -> ScannedHead {
    guard let startLine = lines.first else { throw .malformed("The start line is empty.") }
    var headers: [HeaderField] = []
    headers.reserveCapacity(lines.count - 1)
    for line in lines.dropFirst() {
      headers.append(try Self.field(bytes[line]))
    }
    defer { self = HeadScanner(limits: limits) }
    return ScannedHead(startLine: bytes[startLine], headers: headers, byteCount: scannedCount)
  }

  /// Field values may hold bytes from 0x80 on (`obs-text`, RFC 9110 §5.5); start lines and names refuse them.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20...0x7E, 0x80...0xFF, UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }

  private static func field(_ line: Slice<UnsafeRawBufferPointer>) throws(HeadFault) -> HeaderField {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("A field has no colon.") }
    let name = line[..<colon]
    // White space before the colon and folded lines (RFC 9112 §5.1, §5.2) fail here too: neither is a token.
    guard HTTPGrammar.isToken(name) else { throw .malformed("A field name is not a token.") }
    let value = HTTPGrammar.trimmed(line[(colon + 1)...])
    return HeaderField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}
