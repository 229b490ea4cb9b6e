// The TLS of this program, by OpenSSL 3: versions, ciphers, certificate. Immutable once made, so any shard may make
// sessions from it. A session keeps its context alive.
//
// TLS 1.2 and 1.3 only, forward secret and authenticated ciphers only, no renegotiation. Tickets resume sessions, and
// no session is stored here: the tickets' key lives as long as the context.
// Decisions: 012, 013 (docs/decisions).
import COpenSSL
import Glibc

/// A reason why TLS can't be set up, for the operator.
package struct TLSFailure: Error, CustomStringConvertible, Sendable {
  package let description: String

  /// Takes OpenSSL's description of the last call on this thread.
  init(_ what: String) {
    description = "\(what): \(Self.reason(of: ERR_get_error()))"
    ERR_clear_error()
  }

  private static func reason(of code: UInt) -> String {
    // OpenSSL marks the system's error numbers by this bit, and has no words for them.
    let systemFlag: UInt = 1 << 31
    if code & systemFlag != 0 { return String(cString: strerror(Int32(code & (systemFlag - 1)))) }
    guard let text = ERR_reason_error_string(code) else { return code == 0 ? "no reason given" : "error \(code)" }
    let reason = String(cString: text)
    return reason == "no start line" ? "it has nothing in the PEM format" : reason
  }
}

package final class TLSContext: Sendable {
  /// OpenSSL guards the part that changes (its count of references).
  private nonisolated(unsafe) let context: OpaquePointer
  private let role: Role

  enum Role {
    case server
    case client
  }

  /// A server's context.
  ///
  /// - Parameters:
  ///   - certificate: a PEM file: the server's certificate, then those that lead to a root.
  ///   - key: the PEM file of its private key, without a password.
  /// - Throws: `TLSFailure` when a file can't be read or the two don't belong together.
  package convenience init(certificate: String, key: String) throws(TLSFailure) {
    try self.init(role: .server)
    ERR_clear_error()
    guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw TLSFailure("can't use the certificate \(certificate)")
    }
    guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
      throw TLSFailure("can't use the key \(key) with the certificate \(certificate)")
    }
    guard SSL_CTX_check_private_key(context) == 1 else {
      throw TLSFailure("the key \(key) is not the one of the certificate \(certificate)")
    }
  }

  /// A client's context. It trusts the system's authorities, or only the certificates in one PEM file.
  ///
  /// - Throws: `TLSFailure` when the file can't be read.
  package convenience init(trusting file: String?) throws(TLSFailure) {
    try self.init(role: .client)
    ERR_clear_error()
    let isRead =
      if let file { SSL_CTX_load_verify_locations(context, file, nil) } else {
        SSL_CTX_set_default_verify_paths(context)
      }
    guard isRead == 1 else { throw TLSFailure("can't read the certificates \(file ?? "of the system")") }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
  }

  private init(role: Role) throws(TLSFailure) {
    // OpenSSL writes to its sockets by write(2): a peer that has gone would end the process.
    signal(SIGPIPE, SIG_IGN)
    guard let context = SSL_CTX_new(role == .server ? TLS_server_method() : TLS_client_method()) else {
      throw TLSFailure("can't set up TLS")
    }
    self.context = context
    self.role = role
    let options = Option.noRenegotiation | Option.serversPreference | Option.prioritizeChaCha
    _ = SSL_CTX_set_options(context, options)
    let areSet =
      SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1
      && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
    precondition(areSet, "OpenSSL 3 supports these versions and ciphers")
    // Empty buffers are freed. Bytes once offered may lie elsewhere when they are offered again, and are taken a record
    // at a time. Without the last mode one read call would go on and on over a peer's key updates.
    let modes = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    _ = SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
    _ = SSL_CTX_ctrl(context, SSL_CTRL_CLEAR_MODE, Int(SSL_MODE_AUTO_RETRY), nil)
    _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    // An encrypted key fails instead of asking at the terminal.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
    guard role == .server else { return }
    _ = SSL_CTX_set_num_tickets(context, 1)
    SSL_CTX_set_alpn_select_cb(
      context,
      { _, chosen, chosenCount, offered, offeredCount, _ in
        TLSContext.chooseProtocol(chosen, chosenCount, offered, offeredCount)
      },
      nil
    )
  }

  deinit {
    SSL_CTX_free(context)
  }

  /// A session on a connected socket. A client's session checks that the peer is `serverName`, a host name or an
  /// address.
  func makeSession(on socket: Socket, serverName: String? = nil) -> TLSSession? {
    ERR_clear_error()
    guard let session = SSL_new(context) else { return nil }
    guard SSL_set_fd(session, socket.descriptor) == 1 else {
      SSL_free(session)
      return nil
    }
    switch role {
    case .server:
      SSL_set_accept_state(session)
    case .client:
      SSL_set_connect_state(session)
      guard let serverName else { preconditionFailure("a client has its server's name") }
      if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), serverName) != 1 {
        _ = SSL_set1_host(session, serverName)
        _ = serverName.withCString { name in
          SSL_ctrl(
            session,
            SSL_CTRL_SET_TLSEXT_HOSTNAME,
            Int(TLSEXT_NAMETYPE_host_name),
            UnsafeMutableRawPointer(mutating: name)
          )
        }
      }
      _ = Self.protocolList.withUnsafeBufferPointer { SSL_set_alpn_protos(session, $0.baseAddress, UInt32($0.count)) }
    }
    return TLSSession(session)
  }

  /// `http/1.1`, as ALPN (RFC 7301) lists names: each behind its length.
  private static let protocolList: [UInt8] = [8] + Array("http/1.1".utf8)

  /// A client that offers protocols must offer ours. One that offers none is assumed to speak it.
  private static func chooseProtocol(
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32
  ) -> Int32 {
    guard let offered, let chosen, let chosenCount else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let offers = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var start = 0
    while start < offers.count {
      let end = start + 1 + Int(offers[start])
      guard end <= offers.count else { break }
      if offers[start..<end].elementsEqual(protocolList) {
        chosen.pointee = offered + start + 1
        chosenCount.pointee = offers[start]
        return SSL_TLSEXT_ERR_OK
      }
      start = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }

  /// `SSL_OP_…` of <openssl/ssl.h>, which are macros that Swift does not import.
  private enum Option {
    static let noRenegotiation: UInt64 = 1 << 30
    static let serversPreference: UInt64 = 1 << 22
    static let prioritizeChaCha: UInt64 = 1 << 21
  }
}
