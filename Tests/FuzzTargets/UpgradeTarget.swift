// Requests' heads, one behind the other, and the upgrade that each may ask for.
// Choices: the most bytes of a head, the most fields.
import WebSocket

/// The content of a request's first line, once accepted.
private struct RequestLine: Equatable {
  let method: String
  let path: String
  let query: String?
  let minorVersion: Int

  init(_ head: RequestHead) {
    (method, path, query, minorVersion) = (head.method, head.path, head.query, head.minorVersion)
  }
}

private typealias ParsedRequests = ParsedHeads<RequestLine, HTTPFailure>

/// Any cut of the stream gives the same heads. No head can be read in two ways, and the answer to an upgrade is a head
/// of this server alone.
func fuzzUpgrade(_ bytes: UnsafeRawBufferPointer) {
  var input = FuzzInput(bytes)
  let limits = HeadLimits(
    bytesMax: input.choose([8_192, 1, 32, 64, 128, 256, 1_024, 65_536]),
    headerCountMax: input.choose([64, 1, 2, 8])
  )
  let requests = Feedings(&input).expectSame { parse($0, limits: limits) }
  if let failure = requests.failure { check(failure) }
  for head in requests.heads {
    head.checkFields(limits: limits)
    checkRequest(head)
  }
}

private func parse(_ pieces: [UnsafeRawBufferPointer], limits: HeadLimits) -> ParsedRequests {
  var parser = RequestHeadParser(limits: limits)
  return ParsedHeads(pieces) { bytes throws(HTTPFailure) in
    guard let (head, byteCount) = try parser.parse(bytes) else { return nil }
    checkUpgrade(head)
    return ParsedHead(startLine: RequestLine(head), headers: head.headers, byteCount: byteCount)
  }
}

private func checkRequest(_ head: ParsedHead<RequestLine>) {
  let line = head.startLine
  mustHold(["GET", "HEAD"].contains(line.method), "only GET and HEAD are accepted")
  mustHold(line.path.utf8.first == UInt8(ascii: "/"), "a path begins with a slash")
  mustHold(!line.path.utf8.contains(UInt8(ascii: "?")), "the path has no query")
  mustHold(
    (line.path + (line.query ?? "")).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") },
    "a target is visible ASCII without a fragment"
  )
  let names = head.headers.map { $0.name.lowercased() }
  let hostCount = names.count { $0 == "host" }
  mustHold(
    hostCount == 1 || hostCount == 0 && line.minorVersion == 0,
    "there is one Host, which is optional in HTTP/1.0"
  )
  mustHold(!names.contains("transfer-encoding"), "no transfer coding is accepted")
  let lengths = head.headers.filter { $0.name.lowercased() == "content-length" }.map(\.value)
  mustHold(
    lengths.count <= 1 && lengths.allSatisfy { Int($0) == 0 || $0.allSatisfy { $0 == "0" } },
    "no body is accepted"
  )

  let target = line.path + (line.query.map { "?" + $0 } ?? "")
  let rewritten = Array("\(line.method) \(target) HTTP/1.\(line.minorVersion)\r\n".utf8) + head.fieldBytes
  // Bytes that are no UTF-8 have become longer.
  let limits = HeadLimits(bytesMax: rewritten.count + 1, headerCountMax: max(1, head.headers.count))
  let again = rewritten.withUnsafeBytes { parse([$0], limits: limits) }
  mustHold(
    again.failure == nil && again.unreadCount == 0 && again.heads.count == 1,
    "an accepted head is accepted again"
  )
  mustHold(
    again.heads[0].startLine == line && again.heads[0].headers == head.headers,
    "an accepted head is read again as the same"
  )
}

private func checkUpgrade(_ head: RequestHead) {
  let subprotocols = ["madang.v1.proto", "madang.v1.json"]
  do throws(HTTPFailure) {
    let upgrade = try Upgrade.accept(head, subprotocols: subprotocols, compresses: true)
    mustHold(Upgrade.isRequested(by: head) && head.method == "GET", "only a GET with an upgrade is upgraded")
    mustHold(upgrade.subprotocol.map(subprotocols.contains) ?? true, "the subprotocol is one of ours")
    let response = upgrade.response
    var parser = ResponseHeadParser()
    let answer = response.withUnsafeBytes { bytes in
      try? parser.parse(bytes)
    }
    guard let (answer, byteCount) = answer else { fatalError("broken property: our answer is a head") }
    mustHold(byteCount == response.count && answer.status == 101, "our answer is one head")
    let fieldCount = 3 + (upgrade.subprotocol == nil ? 0 : 1) + (upgrade.compression == nil ? 0 : 1)
    mustHold(answer.headers.count == fieldCount, "our answer has no field of the peer")
    if let compression = upgrade.compression {
      mustHold((9...15).contains(compression.serverWindowBits), "our compressor supports the agreed window")
    }
  } catch {
    check(error)
  }
}

private func check(_ failure: HTTPFailure) {
  mustHold((400...505).contains(failure.status) && !failure.reason.isEmpty, "a refusal has a status and a reason")
}
