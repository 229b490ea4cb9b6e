// A source of photos for tests: an HTTP server on a socket of this machine, which does what a test says.
//
// Each connection has a thread of its own and takes one request.
import Dispatch
import Glibc
import Synchronization
import TestSupport

final class PhotoReceiver: Sendable {
  struct Request: Sendable {
    let path: String
    let head: String

    func has(_ text: String) -> Bool { path.contains(text) || head.contains(text) }
  }

  /// A response: a status line without the version, further lines, and a body.
  struct Answer: Sendable {
    var status = "200 OK"
    var fields: [String] = []
    var body: [UInt8] = []

    static func picture(_ bytes: [UInt8], by author: String? = nil) -> Answer {
      Answer(fields: author.map { ["X-Author: \($0)"] } ?? [], body: bytes)
    }

    static func status(_ status: String, _ fields: String...) -> Answer { Answer(status: status, fields: fields) }

    static func json(_ text: String) -> Answer { Answer(body: Array(text.utf8)) }
  }

  let port: UInt16
  private let listener: Int32
  private let state = Mutex(State())
  private let threads = DispatchGroup()

  private struct State {
    var requests: [Request] = []
    var answer: @Sendable (Request) -> Answer
    var isHeld = false
    var held: [DispatchSemaphore] = []

    init() { answer = { _ in .status("404 Not Found") } }
  }

  init(_ answer: @escaping @Sendable (Request) -> Answer = { _ in .status("404 Not Found") }) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw TestFailure("can't listen: \(errno)") }
    port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    state.withLock { $0.answer = answer }
    DispatchQueue(label: "photo source").async(group: threads) { [self] in accept() }
  }

  /// Ends all connections; called once.
  func stop() {
    release()
    shutdown(listener, Int32(SHUT_RDWR))
    threads.wait()
    close(listener)
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  var requests: [Request] { state.withLock { $0.requests } }

  func answer(_ answer: @escaping @Sendable (Request) -> Answer) { state.withLock { $0.answer = answer } }

  /// Holds answers back until `release`.
  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let held = state.withLock { state in
      state.isHeld = false
      defer { state.held = [] }
      return state.held
    }
    for waiting in held { waiting.signal() }
  }

  /// Waits until so many requests have come.
  func reach(_ count: Int) throws {
    // Bounded only so that a failing test ends.
    for _ in 0..<60_000 where requests.count < count { usleep(1_000) }
    guard requests.count >= count else { throw TestFailure("\(requests.count) requests have come, not \(count)") }
  }

  private func accept() {
    while true {
      let peer = Glibc.accept(listener, nil, nil)
      guard peer >= 0 else { return }
      DispatchQueue(label: "photo source of one").async(group: threads) { [self] in
        serve(peer)
        close(peer)
      }
    }
  }

  private func serve(_ peer: Int32) {
    var bytes: [UInt8] = []
    while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(peer, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      bytes += buffer[..<count]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let request = Request(path: String(text.split(separator: " ")[1]), head: text)
    let (answer, waiting) = state.withLock { state -> (@Sendable (Request) -> Answer, DispatchSemaphore?) in
      state.requests.append(request)
      guard state.isHeld else { return (state.answer, nil) }
      let waiting = DispatchSemaphore(value: 0)
      state.held.append(waiting)
      return (state.answer, waiting)
    }
    waiting?.wait()
    let response = answer(request)
    let lines = ["HTTP/1.1 \(response.status)", "Content-Length: \(response.body.count)", "Connection: close"]
    let head = (lines + response.fields).map { "\($0)\r\n" }.joined() + "\r\n"
    var rest = (Array(head.utf8) + response.body)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
