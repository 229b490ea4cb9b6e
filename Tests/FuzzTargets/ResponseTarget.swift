// A response's head, as bots and tests read it, and the client's check of an upgrade.
// Choices: the most bytes of a head, the most fields.
import WebSocket

private typealias ParsedResponses = ParsedHeads<Int, UpgradeFailure>

/// Any cut of the stream gives the same head, the head keeps the limits, and only a right answer is an upgrade.
func fuzzResponse(_ bytes: UnsafeRawBufferPointer) {
  var input = FuzzInput(bytes)
  let limits = HeadLimits(
    bytesMax: input.choose([8_192, 1, 32, 64, 128, 256, 1_024, 65_536]),
    headerCountMax: input.choose([64, 1, 2, 8])
  )
  let responses = Feedings(&input).expectSame { parse($0, limits: limits) }
  for head in responses.heads {
    head.checkFields(limits: limits)
    mustHold((100...999).contains(head.startLine), "a status has three digits")
    let rewritten = Array("HTTP/1.1 \(head.startLine)\r\n".utf8) + head.fieldBytes
    let again = rewritten.withUnsafeBytes {
      parse([$0], limits: HeadLimits(bytesMax: rewritten.count + 1, headerCountMax: max(1, head.headers.count)))
    }
    mustHold(
      again.failure == nil && again.unreadCount == 0 && again.heads.count == 1,
      "an accepted head is accepted again"
    )
    mustHold(
      again.heads[0].startLine == head.startLine && again.heads[0].headers == head.headers,
      "an accepted head is read again as the same"
    )
  }
}

/// The bytes behind one head are a body or frames, and not the parser's.
private func parse(_ pieces: [UnsafeRawBufferPointer], limits: HeadLimits) -> ParsedResponses {
  var parser = ResponseHeadParser(limits: limits)
  return ParsedHeads(pieces, headCountMax: 1) { bytes throws(UpgradeFailure) in
    guard let (head, byteCount) = try parser.parse(bytes) else { return nil }
    checkUpgrade(head)
    return ParsedHead(startLine: head.status, headers: head.headers, byteCount: byteCount)
  }
}

private func checkUpgrade(_ head: ResponseHead) {
  // RFC 6455's example (§1.3): "the sample nonce", with the answer s3pPLMBiTxaQ9kYGzzhZRbK+xOo=.
  let request = UpgradeRequest(
    host: "server.example.com",
    path: "/chat",
    subprotocols: ["chat", "superchat"],
    nonce: Array("the sample nonce".utf8),
    compresses: true
  )
  guard let (subprotocol, compression) = try? request.check(head) else { return }
  mustHold(head.status == 101, "an upgrade is answered with 101")
  mustHold(head.values(of: "Sec-WebSocket-Accept") == ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="], "the answer has the accept key")
  mustHold(
    head.values(of: "Sec-WebSocket-Protocol") == (subprotocol.map { [$0] } ?? []),
    "the answer has at most one subprotocol"
  )
  mustHold(subprotocol.map(["chat", "superchat"].contains) ?? true, "the subprotocol was offered")
  let extensionCount = head.values(of: "Sec-WebSocket-Extensions").count
  mustHold(compression == nil || extensionCount > 0, "compression is used only if it was chosen")
  if let compression {
    mustHold((9...15).contains(compression.clientWindowBits), "our compressor supports the agreed window")
  }
}
