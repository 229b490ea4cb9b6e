// The uploads and downloads of pictures: plain HTTP over blocking sockets, each on a thread of a small pool.
//
// Immutable; any thread. A client of its own, so that it shares no fault with the server's.
import Dispatch
import Foundation
import MadangProtocol

struct StoryWeb: Sendable {
  /// An answer to one request.
  struct Answer: Sendable {
    let status: Int
    let head: String
    let body: [UInt8]

    /// The length that the head promises.
    var promised: Int? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }.flatMap {
        Int($0.dropFirst(16))
      }
    }

    /// The identifier of an uploaded picture.
    var mediaID: String? {
      guard status / 100 == 2 else { return nil }
      let parts = String(decoding: body, as: UTF8.self).split(separator: "\"")
      return parts.count == 5 && parts[1] == "mediaId" ? String(parts[3]) : nil
    }
  }

  private static let threads = 8
  private static let patienceSeconds = 60

  private let host: String
  private let port: UInt16
  private let queues: [DispatchQueue]

  init(host: String, port: UInt16) {
    (self.host, self.port) = (host, port)
    queues = (0..<Self.threads).map { DispatchQueue(label: "madang-loadtest.web.\($0)") }
  }

  /// Sends one request; `completion` gets nil where the connection failed. Called on any thread.
  func ask(
    _ method: String,
    _ path: String,
    _ body: [UInt8] = [],
    number: Int,
    _ completion: @escaping @Sendable (Answer?) -> Void
  ) {
    queues[number % queues.count].async { completion(exchange(method, path, body)) }
  }

  private func exchange(_ method: String, _ path: String, _ body: [UInt8]) -> Answer? {
    guard let descriptor = connected() else { return nil }
    defer { close(descriptor) }
    let length = method == "PUT" ? "Content-Length: \(body.count)\r\n" : ""
    let head = "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\(length)\r\n"
    var rest = (Array(head.utf8) + body)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      // The server may have answered early.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    guard let status = Int(text.dropFirst(9).prefix(3)) else { return nil }
    return Answer(status: status, head: text, body: Array(bytes[end.upperBound...]))
  }

  private func connected() -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let first = found?.pointee else { return nil }
    defer { freeaddrinfo(found) }
    let descriptor = socket(first.ai_family, first.ai_socktype, 0)
    guard descriptor >= 0 else { return nil }
    var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connect(descriptor, first.ai_addr, first.ai_addrlen) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
