// The system calls on sockets, typed: every result is a case, and interrupted calls are retried here.
//
// A socket is used on the queue of the shard that owns it. Never blocks, never raises SIGPIPE, never closes by itself:
// its owner closes it once.
// Decisions: 008, 172 (docs/decisions).
import CLinux
import Glibc

/// A non-blocking TCP socket.
struct Socket: Hashable, Sendable {
  let descriptor: Int32

  /// The result of a read or a write.
  enum Outcome {
    case bytes(Int)
    /// Nothing now; readiness reports when.
    case wouldBlock
    /// A read that can't go on before something is written, as in TLS.
    case blockedByWriting
    /// The peer has sent its last byte.
    case ended
    case failed(errno: Int32)
  }

  func receive(into buffer: UnsafeMutableRawBufferPointer, flags: Int32 = 0) -> Outcome {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, flags)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case let code: return .failed(errno: code)
      }
    }
  }

  /// Reads without taking: the next read gets the bytes again.
  func peek(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    receive(into: buffer, flags: Int32(MSG_PEEK))
  }

  /// Sends as much of `first` and then `second` as the kernel takes, in one system call.
  func send(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Outcome {
    while true {
      let count: Int
      if second.isEmpty {
        count = Glibc.send(descriptor, first.baseAddress, first.count, Int32(MSG_NOSIGNAL))
      } else {
        var vectors = (
          iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
          iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
        )
        count = withUnsafeMutablePointer(to: &vectors) { pair in
          pair.withMemoryRebound(to: iovec.self, capacity: 2) { list in
            var message = msghdr()
            message.msg_iov = list
            message.msg_iovlen = 2
            return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
          }
        }
      }
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case let code: return .failed(errno: code)
      }
    }
  }

  /// The kernel's smoothed round-trip time; nil for a socket that is no TCP connection.
  var roundTripMicroseconds: Int64? {
    var info = tcp_info()
    var length = socklen_t(MemoryLayout<tcp_info>.size)
    guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return nil }
    return Int64(info.tcpi_rtt)
  }

  /// The number of bytes that the peer's kernel has acknowledged; nil for a socket that is no TCP connection.
  var acknowledgedBytes: UInt64? {
    // `tcpi_bytes_acked` lies behind the part of the kernel's struct that glibc declares.
    let offset = 120
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { info in
      var length = socklen_t(info.count)
      guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &length) == 0,
        length >= offset + MemoryLayout<UInt64>.size
      else { return nil }
      return info.load(fromByteOffset: offset, as: UInt64.self)
    }
  }

  /// Makes closing reset the connection, so that the kernel drops bytes that the peer has not taken.
  func discardWhenClosed() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Ends the outgoing direction; reading goes on.
  func endSending() {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  func close() {
    _ = Glibc.close(descriptor)
  }

  /// The error of a finished `connect`; 0 for none.
  var pendingError: Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }

  /// The address that the socket is bound to.
  var localAddress: SocketAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return result == 0 ? SocketAddress(storage) : nil
  }

  /// Makes small messages leave at once; the shard batches by itself.
  func sendWithoutDelay() {
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }

  /// Has the kernel acknowledge now what has been read, and delay the acknowledgement of what comes next. By itself
  /// Linux acknowledges up to 16 arrivals as they come when there was none for as long as its retransmission timeout,
  /// 200 ms or more: from a peer on the same machine, inside the system call that sends, and so at the peer's cost.
  func acknowledge() {
    set(Int32(IPPROTO_TCP), TCP_QUICKACK, 1)
    set(Int32(IPPROTO_TCP), TCP_QUICKACK, 0)
  }

  /// Bounds the kernel's buffer before `send` would block; the kernel takes twice this, and no less than a few KiB.
  func limitSendBuffer(bytes: Int32) {
    set(SOL_SOCKET, SO_SNDBUF, bytes)
  }

  fileprivate func set(_ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

// Listening and accepting.
extension Socket {
  enum Accepted {
    case connection(Socket, from: SocketAddress)
    /// Nobody waits, or the waiting newcomer has gone.
    case nobody
    /// The process or the machine has no descriptor or memory left for one more.
    case exhausted
  }

  static func listen(on address: ResolvedAddress, backlog: Int32) throws(NetError) -> Socket {
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | nonBlocking, 0)
    guard descriptor >= 0 else { throw NetError("can't make a socket", errno: errno) }
    let listener = Socket(descriptor: descriptor)
    listener.set(SOL_SOCKET, SO_REUSEADDR, 1)
    // Accepted sockets inherit this.
    listener.set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Self.kernelUnsentBytesMax)
    guard address.withPointer({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, backlog) == 0 else {
      let code = errno
      listener.close()
      throw NetError("can't listen on \(address.name)", errno: code)
    }
    return listener
  }

  func accept() -> Accepted {
    while true {
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let accepted = withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept4(descriptor, $0, &size, Self.nonBlocking) }
      }
      if accepted >= 0 {
        let connection = Socket(descriptor: accepted)
        guard let address = SocketAddress(storage) else {
          connection.close()
          continue
        }
        connection.sendWithoutDelay()
        return .connection(connection, from: address)
      }
      switch errno {
      case EINTR, ECONNABORTED, EPROTO: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .nobody
      }
    }
  }

  /// Begins to connect. Writability reports the end, `pendingError` the result.
  static func connect(to address: ResolvedAddress) throws(NetError) -> Socket {
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | nonBlocking, 0)
    guard descriptor >= 0 else { throw NetError("can't make a socket", errno: errno) }
    let result = address.withPointer { Glibc.connect(descriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else {
      let code = errno
      _ = Glibc.close(descriptor)
      throw NetError("can't connect to \(address.name)", errno: code)
    }
    let connection = Socket(descriptor: descriptor)
    connection.sendWithoutDelay()
    return connection
  }

  /// The number of bytes that the kernel takes before it can send them. Further bytes wait here, where they are counted
  /// and ticks can be merged.
  private static let kernelUnsentBytesMax: Int32 = 128 * 1_024
  private static let nonBlocking = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
}
