// One HTTP request over a plain socket.
import TestSupport

struct TestHTTP {
  let status: Int
  let head: String
  let bytes: [UInt8]
  var body: String { String(decoding: bytes, as: UTF8.self) }

  /// Sends a request; `fields` are whole lines, each with its end.
  static func get(_ path: String, port: UInt16, method: String = "GET", fields: String = "") throws -> TestHTTP {
    try send("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(fields)\r\n", port: port)
  }

  /// Sends `request` as it is and reads until the server ends the connection.
  static func send(_ request: String, port: UInt16) throws -> TestHTTP {
    try send(Array(request.utf8), port: port)
  }

  /// The same with bytes that may be no text.
  static func send(_ request: [UInt8], port: UInt16) throws -> TestHTTP {
    let socket = try TestSocket(port: port)
    try socket.send(request)
    let bytes = try socket.receiveToEnd()
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw TestFailure("no HTTP response: \(String(decoding: bytes, as: UTF8.self))")
    }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    guard let status = Int(head.dropFirst(9).prefix(3)) else { throw TestFailure("no HTTP response: \(head)") }
    return TestHTTP(status: status, head: head, bytes: Array(bytes[end.upperBound...]))
  }

  /// The value of the one field of this name; nil without one.
  func field(_ name: String) -> String? {
    let prefix = "\(name): "
    // A line break of the wire is one character, `\r\n`.
    return head.split(separator: "\r\n").first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
