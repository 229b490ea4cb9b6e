// One peer of the server whose instructions are counted: the other end of a connected pair of sockets.
//
// Used on one thread. Nothing that a peer does is counted. The protocol's own code encodes all its messages; a frame's
// mask is always the same.
import Glibc
import MadangProtocol
import Net
import WebSocket

final class InstructionsPeer {
  private static let mask: UInt32 = 0x5A3C_96E1
  private static let messageBytesMax = 1 << 24

  let number: Int
  private let descriptor: Int32
  private let subprotocol: Subprotocol?
  private var decoder = MessageDecoder(role: .client, messageBytesMax: InstructionsPeer.messageBytesMax)
  private let inflater = Inflater()
  private var buffer = [UInt8](repeating: 0, count: 256 * 1_024)
  private var frame: [UInt8] = []
  private var pings = 0

  /// Connects to the server at `path`; `subprotocol` nil offers none.
  init(_ number: Int, path: String, _ subprotocol: Subprotocol?, to server: InstructionsServer) throws {
    self.number = number
    self.subprotocol = subprotocol
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw BenchFailure(description: "no sockets: \(errno)") }
    descriptor = pair[1]
    server.adopt(pair[0], from: SocketAddress(ip: IPAddress(v4: 0x0A00_0001 + UInt32(number)), port: 1_024))
    let request = UpgradeRequest(
      host: "play.example.org",
      path: path,
      subprotocols: subprotocol.map { [$0.rawValue] } ?? [],
      nonce: Array(repeating: UInt8(truncatingIfNeeded: number), count: 16)
    )
    try write(request.bytes)
    try server.rest()
    let answer = String(decoding: try read(), as: UTF8.self)
    guard answer.hasPrefix("HTTP/1.1 101 "), answer.hasSuffix("\r\n\r\n") else {
      throw BenchFailure(description: "not let in: \(answer)")
    }
  }

  deinit {
    close(descriptor)
  }

  // Messages.

  func send(_ body: WireClientMessage.OneOf_Body, id: UInt32? = nil) throws {
    guard let subprotocol else { preconditionFailure("a peer without a subprotocol sends bytes") }
    var message = WireClientMessage()
    message.body = body
    if let id { message.id = id }
    var bytes: [UInt8] = []
    subprotocol.append(message, to: &bytes)
    try send(subprotocol.isText ? .text : .binary, bytes)
  }

  func send(_ kind: MessageKind, _ payload: [UInt8]) throws {
    frame.removeAll(keepingCapacity: true)
    FrameEncoder.append(kind, payload, mask: Self.mask, to: &frame)
    try write(frame)
  }

  /// Sends a request and takes the answer, skipping other messages.
  func ask(_ body: WireClientMessage.OneOf_Body, of server: InstructionsServer) throws -> WireServerMessage.OneOf_Body {
    guard let subprotocol else { preconditionFailure("a peer without a subprotocol sends no requests") }
    try send(body, id: 1)
    var answer: WireServerMessage.OneOf_Body?
    // A durable answer comes when the next segment of the journal may be cut off.
    for _ in 0..<100 where answer == nil {
      try server.rest()
      _ = try takeMessages { payload in
        let message = try subprotocol.decodeServerMessage(payload)
        if message.hasReplyTo { answer = message.body }
      }
      if answer == nil { server.advance(milliseconds: 10) }
    }
    guard let answer else { throw BenchFailure(description: "no answer to \(body)") }
    return answer
  }

  /// Takes and answers all pings that have come; returns their number.
  func takePings() throws -> Int {
    let before = pings
    _ = try takeMessages { _ in throw BenchFailure(description: "peer \(number) was sent a message") }
    return pings - before
  }

  /// Takes all messages that have come; returns their number.
  func takeMessages(_ take: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
    var bytes = try read()
    var count = 0
    try bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      while let item = try decoder.next(in: buffer, offset: &offset, inflater: inflater) {
        switch item {
        case .message(_, let payload):
          count += 1
          try take(payload)
        case .ping(let payload):
          pings += 1
          frame.removeAll(keepingCapacity: true)
          FrameEncoder.appendPong(payload, mask: Self.mask, to: &frame)
          try write(frame)
        case .pong, .close:
          throw BenchFailure(description: "peer \(number) was sent a pong or a close")
        }
      }
    }
    return count
  }

  // Bytes.

  private func write(_ bytes: [UInt8]) throws {
    guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw BenchFailure(description: "peer \(number) can't send: \(errno)")
    }
  }

  /// Reads all bytes that have arrived.
  private func read() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EAGAIN { return bytes }
      guard count > 0 else { throw BenchFailure(description: "peer \(number) was cut off") }
      bytes += buffer[..<count]
    }
  }
}
