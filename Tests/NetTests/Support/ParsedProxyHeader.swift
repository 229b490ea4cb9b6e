// One PROXY header parsed in all ways in which it can arrive, with a record of any way that gives another result.
import Net
import Testing

enum ParsedProxyHeader {
  typealias Outcome = Result<ProxyHeader?, ProxyHeaderFault>

  static func of(_ bytes: some Collection<UInt8>) -> Outcome {
    // A copy of these bytes alone, so that a sanitizer sees reads beyond them.
    Array(bytes).withUnsafeBytes { buffer in
      do throws(ProxyHeaderFault) {
        return .success(try ProxyHeader.parse(buffer))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The outcome for all of `bytes`. Pieces must be unfinished up to that outcome, which then stays the same with any
  /// bytes behind.
  static func everyWay(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> Outcome {
    let whole = of(bytes)
    var isSettled = false
    for count in 0...bytes.count {
      let outcome = of(bytes[..<count])
      if isSettled || outcome != .success(nil) {
        isSettled = true
        #expect(outcome == whole, "the first \(count) bytes of \(bytes)", sourceLocation: sourceLocation)
      }
      if case .success(let header?) = outcome {
        #expect(header.byteCount <= count, "a header that has not arrived", sourceLocation: sourceLocation)
      }
    }
    for follower in ["\r\n", "PROXY ", "GET / HTTP/1.1\r\n\r\n"] where whole != .success(nil) {
      #expect(of(bytes + follower.utf8) == whole, "followed by \(follower)", sourceLocation: sourceLocation)
    }
    return whole
  }
}

extension Result<ProxyHeader?, ProxyHeaderFault> {
  /// Whether it is a header of this length that names no client.
  func isWithoutSource(byteCount: Int) -> Bool {
    guard case .success(let header?) = self else { return false }
    return header.source == nil && header.byteCount == byteCount
  }
}
