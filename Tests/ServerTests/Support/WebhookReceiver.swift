// An operator's backend for tests: a receiver of webhooks on a socket of this machine.
//
// One thread, which takes one connection after the other, and one request from each.
import Foundation
import Glibc
import Synchronization
import TestSupport

final class WebhookReceiver: Sendable {
  struct Request: Sendable {
    let head: String
    let body: [UInt8]

    func value(of name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ": ") }.map {
        String($0.dropFirst(name.count + 2))
      }
    }
  }

  let port: UInt16
  private let listener: Int32
  private let requests = Mutex<[Request]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Answers each request with the head that `answer` makes of its number from 0 on.
  init(answer: @escaping @Sendable (_ number: Int) -> String = { _ in "200 OK" }) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw TestFailure("can't listen: \(errno)") }
    port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    Thread { self.serve(answer) }.start()
  }

  /// Ends the thread.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    ended.wait()
  }

  /// The next request; waits for it.
  func next() -> Request {
    arrived.wait()
    return requests.withLock { $0.removeFirst() }
  }

  private func serve(_ answer: (Int) -> String) {
    var number = 0
    while true {
      let peer = accept(listener, nil, nil)
      guard peer >= 0 else { break }
      if let request = Self.read(peer) {
        let answer = "HTTP/1.1 \(answer(number))\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        number += 1
        requests.withLock { $0.append(request) }
        _ = answer.withCString { send(peer, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        arrived.signal()
      }
      close(peer)
    }
    close(listener)
    ended.signal()
  }

  private static func read(_ peer: Int32) -> Request? {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while true {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(peer, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      guard let range = bytes.firstRange(of: end) else { continue }
      let head = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
      let request = Request(head: head, body: Array(bytes[range.upperBound...]))
      guard let length = request.value(of: "content-length").flatMap({ Int($0) }) else { return nil }
      if request.body.count >= length { return request }
    }
  }
}
