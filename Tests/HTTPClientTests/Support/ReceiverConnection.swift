// One connection of a test's receiver.
//
// Used by its script's thread; any thread may interrupt it.
import COpenSSL
import Glibc
import Synchronization
import TestSupport

/// A request as it came.
struct ReceivedRequest: Sendable {
  let line: String
  /// The header's lines, as they came.
  let fields: [String]
  let body: [UInt8]

  func value(of name: String) -> String? {
    fields.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
      String($0.dropFirst(name.count + 1).drop { $0 == " " })
    }
  }
}

final class ReceiverConnection: Sendable {
  private let descriptor: Int32
  // Used by the script's thread alone.
  private nonisolated(unsafe) let tls: OpaquePointer?
  private let unread = Mutex<[UInt8]>([])
  private let isClosed = Mutex(false)

  init(_ descriptor: Int32, _ tls: ReceiverTLS?) {
    self.descriptor = descriptor
    self.tls = tls.flatMap { SSL_new($0.context) }
    if let session = self.tls { SSL_set_fd(session, descriptor) }
  }

  deinit {
    close()
    SSL_free(tls)
  }

  func shakeHands() -> Bool { tls.map { SSL_accept($0) == 1 } ?? true }

  /// Ends what the connection's thread waits for.
  func interrupt() {
    isClosed.withLock { if !$0 { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }
  }

  func close() {
    isClosed.withLock {
      if !$0 { _ = Glibc.close(descriptor) }
      $0 = true
    }
  }

  /// Closes the connection so that the peer gets a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    close()
  }

  /// The next bytes; empty at the end.
  func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count =
      tls.map { Int(SSL_read($0, &buffer, Int32(buffer.count))) } ?? recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Waits until the peer closes the connection.
  func awaitEnd() {
    while !receive().isEmpty {}
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        tls.map { Int(SSL_write($0, bytes.baseAddress, Int32(bytes.count))) }
          ?? Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw TestFailure("can't send: \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// The next request with its body; throws at the end.
  func request() throws -> ReceivedRequest {
    var bytes = unread.withLock { $0 }
    func more() throws {
      let next = receive()
      guard !next.isEmpty else { throw TestFailure("no request") }
      bytes += next
    }
    let gap = Array("\r\n\r\n".utf8)
    var end = bytes.firstRange(of: gap)
    while end == nil {
      try more()
      end = bytes.firstRange(of: gap)
    }
    guard let end else { throw TestFailure("no header") }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
    let length = lines.first { $0.lowercased().hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
    while bytes.count < end.upperBound + length { try more() }
    let body = Array(bytes[end.upperBound..<(end.upperBound + length)])
    let rest = Array(bytes[(end.upperBound + length)...])
    unread.withLock { $0 = rest }
    return ReceivedRequest(line: lines[0], fields: Array(lines[1...]), body: body)
  }

  /// Answers each request with the same response.
  func answerAll(_ response: String) throws {
    while true {
      _ = try request()
      try send(response)
    }
  }
}

/// The receiver's side of TLS.
final class ReceiverTLS: Sendable {
  nonisolated(unsafe) let context: OpaquePointer

  init(_ certificate: TestCertificate, versionMax: Int32) throws {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw TestFailure("no TLS") }
    self.context = context
    // Without this an old version, which must be refused, would not even be offered.
    SSL_CTX_set_security_level(context, 0)
    _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(versionMax), nil)
    guard SSL_CTX_use_certificate_chain_file(context, certificate.certificateFile) == 1,
      SSL_CTX_use_PrivateKey_file(context, certificate.keyFile, SSL_FILETYPE_PEM) == 1
    else { throw TestFailure("can't use the certificate") }
  }

  deinit { SSL_CTX_free(context) }
}
