// Responses on the wire (RFC 9112 §4, §6.3).
import Testing
import WebSocket

struct HTTPResponseTests {
  private let page = HTTPResponse(
    status: 200,
    headers: [HeaderField("Content-Type", "text/plain")],
    body: Array("ok\n".utf8)
  )

  @Test("A response has its status, its fields, its length and its body")
  func whole() {
    let expected = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nok\n"
    #expect(String(decoding: page.serialized(keepAlive: true, headOnly: false), as: UTF8.self) == expected)
  }

  @Test("The last response on a connection says so")
  func close() {
    let expected = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n"
    #expect(String(decoding: page.serialized(keepAlive: false, headOnly: false), as: UTF8.self) == expected)
  }

  @Test("The answer to HEAD is the same head without the body")
  func headOnly() {
    let whole = page.serialized(keepAlive: true, headOnly: false)
    #expect(page.serialized(keepAlive: true, headOnly: true) == Array(whole.dropLast(3)))
  }

  @Test("204 and 304 have neither a body nor a length", arguments: [204, 304])
  func noBody(status: Int) {
    let text = String(
      decoding: HTTPResponse(status: status).serialized(keepAlive: true, headOnly: false),
      as: UTF8.self
    )
    #expect(!text.contains("Content-Length"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test("A status without a known phrase is sent with an empty one")
  func unknownStatus() {
    let text = String(decoding: HTTPResponse(status: 418).serialized(keepAlive: true, headOnly: false), as: UTF8.self)
    #expect(text == "HTTP/1.1 418 \r\nContent-Length: 0\r\n\r\n")
  }

  @Test("A failure's response has the reason in its body")
  func failure() {
    let response = HTTPFailure(status: 400, reason: "No.").response
    #expect(response.status == 400)
    #expect(response.body == Array("No.\n".utf8))
  }
}
