// Requests with bodies, as a listener that takes uploads and acts reads them: a head, as many bytes as it states, the
// next head. Choices: the most bytes of a head, the most fields.
import WebSocket

/// The content of a request's first line, once accepted.
private struct BodyRequestLine: Equatable {
  let method: String
  let path: String
  let query: String?
  let minorVersion: Int

  init(_ head: RequestHead) {
    (method, path, query, minorVersion) = (head.method, head.path, head.query, head.minorVersion)
  }
}

private struct ParsedBody: Equatable {
  let head: ParsedHead<BodyRequestLine>
  /// The length that the head states.
  let promised: Int
  var body: [UInt8] = []
}

/// The requests at the start of a stream, and its end.
private struct ParsedBodies: Equatable {
  private(set) var requests: [ParsedBody] = []
  private(set) var failure: HTTPFailure?
  private(set) var unreadCount = 0

  /// Feeds the pieces as a connection does: all unread bytes are a head's, or the body's that is under way.
  init(_ pieces: [UnsafeRawBufferPointer], limits: HeadLimits) {
    var parser = RequestHeadParser(limits: limits, takesBodies: true, takesActs: true)
    var unread: [UInt8] = []
    for piece in pieces {
      unread += piece
      while failure == nil, !unread.isEmpty {
        let left = requests.last.map { $0.promised - $0.body.count } ?? 0
        guard left == 0 else {
          let count = min(left, unread.count)
          requests[requests.count - 1].body += unread[..<count]
          unread.removeFirst(count)
          continue
        }
        guard takeHead(&parser, &unread) else { break }
      }
    }
    unreadCount = unread.count
  }

  private mutating func takeHead(_ parser: inout RequestHeadParser, _ unread: inout [UInt8]) -> Bool {
    // In memory of their own that ends with the unread bytes: the sanitizer sees reads beyond.
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: unread.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: unread)
    do throws(HTTPFailure) {
      guard let (head, byteCount) = try parser.parse(UnsafeRawBufferPointer(bytes)) else { return false }
      mustHold(byteCount > 0 && byteCount <= bytes.count, "a head lies in the unread bytes")
      let parsed = ParsedHead(startLine: BodyRequestLine(head), headers: head.headers, byteCount: byteCount)
      mustHold(head.bodyByteCount >= 0, "no length is negative")
      mustHold(
        head.bringsBody == ["PUT", "PATCH", "POST"].contains(head.method),
        "only PUT, PATCH and POST bring a body, which may be empty"
      )
      mustHold(!head.awaitsContinue || head.bodyByteCount > 0, "nobody waits to send nothing")
      requests.append(ParsedBody(head: parsed, promised: head.bodyByteCount))
      unread.removeFirst(byteCount)
      return true
    } catch {
      failure = error
      return false
    }
  }
}

/// Any cut of the stream gives the same requests and bodies. What lies behind a body is the next request, and no length
/// can be read in two ways.
func fuzzBodies(_ bytes: UnsafeRawBufferPointer) {
  var input = FuzzInput(bytes)
  let limits = HeadLimits(
    bytesMax: input.choose([8_192, 1, 32, 64, 128, 256, 1_024, 65_536]),
    headerCountMax: input.choose([64, 1, 2, 8])
  )
  let stream = Feedings(&input).expectSame { ParsedBodies($0, limits: limits) }
  if let failure = stream.failure {
    mustHold((400...505).contains(failure.status) && !failure.reason.isEmpty, "a refusal has a status and a reason")
  }
  for request in stream.requests { check(request, limits) }
  for request in stream.requests.dropLast() {
    mustHold(request.body.count == request.promised, "a request follows only a whole body")
  }
}

private func check(_ request: ParsedBody, _ limits: HeadLimits) {
  let (head, line) = (request.head, request.head.startLine)
  head.checkFields(limits: limits)
  let methods = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"]
  mustHold(methods.contains(line.method), "no other method is accepted")
  mustHold(line.path.utf8.first == UInt8(ascii: "/"), "a path begins with a slash")
  let names = head.headers.map { $0.name.lowercased() }
  mustHold(!names.contains("transfer-encoding"), "no transfer coding is accepted")
  let lengths = head.headers.filter { $0.name.lowercased() == "content-length" }.map(\.value)
  // A POST without a length has no body.
  if ["PUT", "PATCH"].contains(line.method) || line.method == "POST" && !lengths.isEmpty {
    mustHold(lengths.count == 1, "a body has one length")
    mustHold(lengths[0].utf8.allSatisfy { (0x30...0x39).contains($0) }, "a length is digits")
    let digits = lengths[0].drop { $0 == "0" }
    mustHold(digits == (request.promised == 0 ? "" : "\(request.promised)"), "a length is read as it is written")
  } else {
    mustHold(lengths.count <= 1 && lengths.allSatisfy { $0.allSatisfy { $0 == "0" } }, "other requests have no body")
    mustHold(request.promised == 0 && request.body.isEmpty, "other requests have no body")
  }
  checkPipelined(request)
}

/// The request, written anew with its body and another one behind, is read as those two.
private func checkPipelined(_ request: ParsedBody) {
  guard request.body.count == request.promised else { return }
  let line = request.head.startLine
  let target = line.path + (line.query.map { "?" + $0 } ?? "")
  let next = "PUT /next HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nGET "
  let rewritten =
    Array("\(line.method) \(target) HTTP/1.\(line.minorVersion)\r\n".utf8) + request.head.fieldBytes + request.body
    + Array(next.utf8)
  let limits = HeadLimits(
    bytesMax: rewritten.count + 1,
    headerCountMax: max(2, request.head.headers.count)
  )
  let again = rewritten.withUnsafeBytes { ParsedBodies([$0], limits: limits) }
  mustHold(again.failure == nil && again.unreadCount == 0 && again.requests.count == 2, "both requests are read")
  mustHold(
    again.requests[0].head.startLine == line && again.requests[0].head.headers == request.head.headers
      && again.requests[0].body == request.body,
    "an accepted request is read again as the same"
  )
  mustHold(
    again.requests[1].head.startLine.path == "/next" && again.requests[1].body == Array("GET ".utf8),
    "the bytes behind a body are the next request"
  )
}
