// The header fields of a response, read line by line as libcurl hands them over. A value.
//
// A line that is no field is left out: libcurl has judged the form of the whole already.

struct ResponseHead {
  private(set) var headers: [HTTPHeader] = []
  private(set) var byteCount = 0
  /// Whether a head is being read. Behind it come an interim response's successor or the fields behind the body.
  private var isOpen = false

  /// Takes one line with its end.
  mutating func take(_ line: UnsafeRawBufferPointer) {
    byteCount += line.count
    let text = line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    guard !text.isEmpty else {
      isOpen = false
      return
    }
    if !isOpen {
      if text.starts(with: "HTTP/".utf8) {
        headers = []
        isOpen = true
      }
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let value = text[(colon + 1)...]
      headers.append(HTTPHeader(Self.trimmed(text[..<colon]), Self.trimmed(value)))
    }
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
