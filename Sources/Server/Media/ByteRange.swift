// One range of bytes that a request asks for (RFC 9110, 14.1 and 14.2). Pure.
import WebSocket

package enum ByteRange: Equatable {
  /// All of it: no range is asked for, or several, or none that can be read, or the method is not GET.
  case whole
  case part(Range<Int>)
  /// Nothing of it.
  case outside

  /// The range of a body of `byteCount` bytes that a request asks for, as long as it is of the copy tagged `tag`.
  package init(_ head: RequestHead, byteCount: Int, tag: String) {
    let values = head.values(of: "Range")
    let conditions = head.values(of: "If-Range")
    guard head.method == "GET", values.count == 1, conditions.isEmpty || conditions == [tag],
      let parts = Self.parts(of: values[0].lowercased())
    else {
      self = .whole
      return
    }
    switch parts {
    case (nil, nil): self = .whole
    case (nil, let last?): self = last > 0 && byteCount > 0 ? .part(max(0, byteCount - last)..<byteCount) : .outside
    case (let first?, let last):
      guard first <= last ?? first else {
        self = .whole
        return
      }
      self = first < byteCount ? .part(first..<min(byteCount, (last ?? byteCount - 1) + 1)) : .outside
    }
  }

  /// `bytes=first-last` of which one may be missing; nil for anything else.
  private static func parts(of value: String) -> (Int?, Int?)? {
    guard value.hasPrefix("bytes=") else { return nil }
    let parts = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.count <= 15 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else {
      return nil
    }
    return (Int(parts[0]), Int(parts[1]))
  }
}
