// A plain blocking TLS client over a TestSocket, by OpenSSL and not by the code under test.
//
// Used by one test at a time.
import COpenSSL

package final class TestTLSSocket: ByteStream {
  package let socket: TestSocket
  private let context: OpaquePointer
  private let session: OpaquePointer

  /// The options of a client.
  package struct Options {
    /// `TLS1_2_VERSION` or the like; the only version spoken.
    package var version: Int32?
    /// The names for ALPN; empty offers none.
    package var protocols: [String] = []
    package var ciphers: String?
    /// The ticket of a session to resume.
    package var ticket: Ticket?

    package init() {}
  }

  /// A session to resume.
  package final class Ticket {
    fileprivate let session: OpaquePointer
    fileprivate init(_ session: OpaquePointer) { self.session = session }
    deinit { SSL_SESSION_free(session) }
  }

  /// Connects and shakes hands; the certificate is not checked.
  package convenience init(port: UInt16, _ options: Options = Options()) throws {
    try self.init(TestSocket(port: port), options)
  }

  /// Shakes hands on a connected socket.
  package init(_ socket: TestSocket, _ options: Options = Options()) throws {
    self.socket = socket
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw TestFailure("no TLS") }
    self.context = context
    // Without this the old versions, which must be refused, would not even be offered.
    SSL_CTX_set_security_level(context, 0)
    if let version = options.version {
      _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil)
      _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    }
    if let ciphers = options.ciphers { SSL_CTX_set_cipher_list(context, ciphers) }
    guard let session = SSL_new(context) else { throw TestFailure("no TLS session") }
    self.session = session
    SSL_set_fd(session, socket.descriptor)
    if let ticket = options.ticket { SSL_set_session(session, ticket.session) }
    let names = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    if !names.isEmpty { SSL_set_alpn_protos(session, names, UInt32(names.count)) }
    ERR_clear_error()
    let result = SSL_connect(session)
    guard result == 1 else { throw TestFailure("no handshake: \(SSL_get_error(session, result))") }
  }

  deinit {
    SSL_free(session)
    SSL_CTX_free(context)
  }

  package var version: Int32 { SSL_version(session) }
  package var isResumed: Bool { SSL_session_reused(session) == 1 }
  package var ticket: Ticket? { SSL_get1_session(session).map(Ticket.init) }

  /// The protocol agreed upon by ALPN.
  package var chosenProtocol: String {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(session, &name, &count)
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
  }

  /// The common name of the server's certificate.
  package var serverName: String {
    guard let certificate = SSL_get1_peer_certificate(session) else { return "" }
    defer { X509_free(certificate) }
    var name = [CChar](repeating: 0, count: 100)
    let count = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, &name, 100)
    return String(decoding: name.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  package func send(_ bytes: some Collection<UInt8>) throws {
    let bytes = Array(bytes)
    guard !bytes.isEmpty else { return }
    ERR_clear_error()
    guard SSL_write(session, bytes, Int32(bytes.count)) == Int32(bytes.count) else { throw TestFailure("can't send") }
  }

  /// The next bytes; empty when the peer has ended.
  package func receive() throws -> [UInt8] {
    if SSL_pending(session) == 0 { try socket.awaitInput() }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    ERR_clear_error()
    let count = SSL_read(session, &buffer, Int32(buffer.count))
    return count > 0 ? Array(buffer[..<Int(count)]) : []
  }

  /// Renews the keys of our direction (TLS 1.3): a computation for the server, without any bytes.
  package func updateKeys() throws {
    ERR_clear_error()
    guard SSL_key_update(session, SSL_KEY_UPDATE_NOT_REQUESTED) == 1, SSL_do_handshake(session) == 1 else {
      throw TestFailure("can't renew keys")
    }
  }
}
