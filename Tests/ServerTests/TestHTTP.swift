// One HTTP request over a plain socket.
import TestSupport

struct TestHTTP {
  let status: Int
  let head: String
  let body: String

  static func get(_ path: String, port: UInt16) throws -> TestHTTP {
    try send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", port: port)
  }

  /// Sends `request` as it is and reads until the server ends the connection.
  static func send(_ request: String, port: UInt16) throws -> TestHTTP {
    let socket = try TestSocket(port: port)
    try socket.send(Array(request.utf8))
    let text = String(decoding: try socket.receiveToEnd(), as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
      throw TestFailure("no HTTP response: \(text)")
    }
    return TestHTTP(status: status, head: String(text[..<end.lowerBound]), body: String(text[end.upperBound...]))
  }
}
