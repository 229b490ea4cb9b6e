// One connection's TLS, on its non-blocking socket.
//
// Used on the queue of the shard that owns the connection, and handed over with it. OpenSSL's queue of errors belongs
// to the thread, so it is cleared before every call: otherwise one client's garbage would end another's session. After
// a failure the only legal call is the one that frees it.
// Decisions: 011 (docs/decisions).
import COpenSSL
import Glibc

final class TLSSession: Sendable {
  /// Used by one shard at a time; a connection that moves takes it along.
  private nonisolated(unsafe) let session: OpaquePointer

  enum Handshake {
    case done
    case wantsRead
    case wantsWrite
    /// The peer speaks HTTP without TLS, and can be answered so.
    case isPlainHTTP
    case failed
  }

  init(_ session: OpaquePointer) {
    self.session = session
  }

  deinit {
    SSL_free(session)
  }

  /// Goes on with the handshake as far as it can.
  func shakeHands() -> Handshake {
    ERR_clear_error()
    let result = SSL_do_handshake(session)
    guard result != 1 else { return .done }
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_SSL where ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST: return .isPlainHTTP
    default: return .failed
    }
  }

  /// Whether decrypted bytes are unread: the socket's readiness won't report them.
  var hasPending: Bool { SSL_pending(session) > 0 }

  /// Reads what one record holds, or the rest of it.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Socket.Outcome {
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count))
    guard count <= 0 else { return .bytes(Int(count)) }
    return SSL_get_error(session, count) == SSL_ERROR_WANT_WRITE ? .blockedByWriting : outcome(of: count)
  }

  /// Offers `bytes`. The bytes not taken must come first in the next offer.
  func send(_ bytes: UnsafeRawBufferPointer) -> Socket.Outcome {
    var taken = 0
    while taken < bytes.count {
      ERR_clear_error()
      let rest = bytes[taken...]
      let count = SSL_write(session, rest.base.baseAddress.map { $0 + taken }, Int32(clamping: rest.count))
      guard count > 0 else {
        let outcome = outcome(of: count)
        if case .wouldBlock = outcome { break }
        return outcome
      }
      taken += Int(count)
    }
    return taken > 0 ? .bytes(taken) : .wouldBlock
  }

  /// Notifies the peer that no more bytes come.
  func endSending() {
    ERR_clear_error()
    _ = SSL_shutdown(session)
  }

  private func outcome(of result: Int32) -> Socket.Outcome {
    switch SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .wouldBlock
    case SSL_ERROR_ZERO_RETURN: .ended
    case SSL_ERROR_SYSCALL where errno != 0: .failed(errno: errno)
    // An end without a close_notify: phones that lose their network, and browsers. Messages have an end of their own.
    default: .failed(errno: EPROTO)
    }
  }
}

extension TLSSession {
  /// Sends as much of `first` and then `second` as is taken: one record of both, laid end to end in `room`. The bytes
  /// not taken must come first in the next call.
  func send(
    _ first: UnsafeRawBufferPointer,
    _ second: UnsafeRawBufferPointer,
    room: inout [UInt8]
  ) -> Socket.Outcome {
    guard !second.isEmpty else { return send(first) }
    room.removeAll(keepingCapacity: true)
    room.append(contentsOf: first)
    room.append(contentsOf: second)
    return room.withUnsafeBytes { send($0) }
  }
}
