// The result of an HTTP head parser for a stream, as a value to compare, and the properties of every accepted head.
// Generic over requests and responses, which are fed alike.
import WebSocket

/// One accepted head, of a request or a response.
struct ParsedHead<StartLine: Equatable>: Equatable {
  let startLine: StartLine
  let headers: [HeaderField]
  let byteCount: Int
}

/// The heads at the start of a stream, and its end.
struct ParsedHeads<StartLine: Equatable, Failure: Error & Equatable>: Equatable {
  private(set) var heads: [ParsedHead<StartLine>] = []
  private(set) var failure: Failure?
  private(set) var unreadCount = 0

  /// Feeds the pieces as a connection does: a call sees all unread bytes, and an accepted head is dropped.
  init(
    _ pieces: [UnsafeRawBufferPointer],
    headCountMax: Int = .max,
    parse: (UnsafeRawBufferPointer) throws(Failure) -> ParsedHead<StartLine>?
  ) {
    var unread: [UInt8] = []
    var start = 0
    for piece in pieces {
      unread += piece
      while heads.count < headCountMax {
        // Only the unread bytes, in memory of their own that ends with them: the sanitizer sees reads beyond.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: unread.count - start, alignment: 1)
        defer { bytes.deallocate() }
        bytes.copyBytes(from: unread[start...])
        do throws(Failure) {
          guard let head = try parse(UnsafeRawBufferPointer(bytes)) else { break }
          mustHold(head.byteCount > 0 && head.byteCount <= bytes.count, "a head lies in the unread bytes")
          heads.append(head)
          start += head.byteCount
        } catch {
          failure = error
          return
        }
      }
    }
    unreadCount = unread.count - start
  }
}

extension ParsedHead {
  /// Checks the properties of every accepted head, with any start line.
  func checkFields(limits: HeadLimits) {
    mustHold(byteCount <= limits.bytesMax, "no head is over the limit of bytes")
    mustHold(headers.count <= limits.headerCountMax, "no head is over the limit of fields")
    for field in headers { field.check() }
  }

  /// The head's fields and its empty line, as a sender writes them.
  var fieldBytes: [UInt8] {
    Array((headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n").utf8)
  }
}

extension HeaderField {
  fileprivate func check() {
    mustHold(!name.isEmpty && name.utf8.allSatisfy(Self.isNameByte), "a field's name is a token")
    mustHold(
      value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 },
      "no value has control characters other than tabs"
    )
    for byte in [value.utf8.first, value.utf8.last] {
      mustHold(byte != 0x20 && byte != 0x09, "no white space surrounds a value")
    }
  }

  /// `tchar` (RFC 9110 §5.6.2), written a second time on purpose.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !Array("\"(),/:;<=>?@[\\]{}".utf8).contains(byte)
  }
}
