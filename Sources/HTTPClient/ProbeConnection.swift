// One connection to a server, for commands that look at it from outside: by which address, under which certificate, and
// whatever bytes are sent over it.
//
// Blocks, and is used by one thread; ends with its last reference. libcurl looks the name up, connects and speaks TLS,
// as it does for the server's own requests. No address is refused: the person at the terminal names the URL.
// Decisions: 143 (docs/decisions).
import CCurl
import Glibc

package final class ProbeConnection {
  /// The name for files that also know the HTTP of `WebSocket`, whose failures are called the same.
  package typealias Failure = HTTPFailure

  package struct Settings: Sendable {
    /// The longest time until the connection stands, and of each wait for bytes, milliseconds.
    package var patienceMs = 10_000
    /// Whether a certificate that can't be trusted ends the connection.
    package var verifies = true
    /// The path of a PEM file with the certificates to trust instead of the system's.
    package var authorities: String?
    /// The address to connect to, instead of those of the name.
    package var address: String?
    /// The address of this machine to connect from.
    package var source: String?

    package init() {}
  }

  /// The address of this end, and of the other.
  package let ownAddress: String
  package let peerAddress: String
  /// The peer's certificate; nil without TLS.
  package let certificate: ProbedCertificate?
  private let handle: UnsafeMutableRawPointer
  private let descriptor: curl_socket_t
  private let patienceMs: Int
  private let lists: OptionLists

  /// Connects.
  ///
  /// - Throws: `HTTPFailure` when there is no connection, or no trusted one.
  package init(to url: HTTPURL, _ settings: Settings = Settings()) throws(HTTPFailure) {
    CurlLibrary.prepare()
    guard let handle = curl_easy_init() else { preconditionFailure("memory for a transfer") }
    self.handle = handle
    patienceMs = settings.patienceMs
    lists = OptionLists(url, settings)
    let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    defer { reason.deallocate() }
    Self.setOptions(of: handle, url, settings, lists, reason)
    let code = curl_easy_perform(handle)
    // libcurl keeps the pointer otherwise, for later failures.
    _ = curl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil)
    guard code == CURLE_OK else {
      let failure = HTTPFailure(connecting: code, String(cString: reason))
      curl_easy_cleanup(handle)
      throw failure
    }
    var descriptor: curl_socket_t = CURL_SOCKET_BAD
    precondition(curl_read_socket(handle, &descriptor) == CURLE_OK, "a connection has a socket")
    self.descriptor = descriptor
    ownAddress = Self.text(CURLINFO_LOCAL_IP, of: handle)
    peerAddress = Self.text(CURLINFO_PRIMARY_IP, of: handle)
    certificate = Self.certificate(of: handle)
  }

  deinit { curl_easy_cleanup(handle) }

  /// Sends all of the bytes.
  ///
  /// - Throws: `HTTPFailure` when the peer takes no more.
  package func send(_ bytes: [UInt8]) throws(HTTPFailure) {
    var sent = 0
    while sent < bytes.count {
      var count = 0
      let code = bytes[sent...].withUnsafeBytes { curl_easy_send(handle, $0.baseAddress, $0.count, &count) }
      switch code {
      case CURLE_OK: sent += count
      case CURLE_AGAIN: try wait(for: Int16(POLLOUT))
      default: throw .other("the connection was ended while a request was sent")
      }
    }
  }

  /// Some bytes; none at the end.
  ///
  /// - Throws: `HTTPFailure.timeout` when none come within the patience.
  package func receive() throws(HTTPFailure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16 * 1_024)
    while true {
      var count = 0
      switch curl_easy_recv(handle, &buffer, buffer.count, &count) {
      case CURLE_OK: return Array(buffer[..<count])
      case CURLE_AGAIN: try wait(for: Int16(POLLIN))
      default: throw .other("the connection was ended early")
      }
    }
  }

  private func wait(for events: Int16) throws(HTTPFailure) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    guard poll(&entry, 1, Int32(patienceMs)) > 0 else { throw .timeout }
  }

  private static func setOptions(
    of handle: UnsafeMutableRawPointer,
    _ url: HTTPURL,
    _ settings: Settings,
    _ lists: OptionLists,
    _ reason: UnsafeMutablePointer<CChar>
  ) {
    func require(_ code: CURLcode) {
      precondition(code == CURLE_OK, "libcurl takes the option: \(String(cString: curl_easy_strerror(code)))")
    }
    require(curl_set_text(handle, CURLOPT_URL, url.text))
    require(curl_set_number(handle, CURLOPT_CONNECT_ONLY, 1))
    require(curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, settings.patienceMs))
    require(curl_set_number(handle, CURLOPT_NOSIGNAL, 1))
    require(curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"))
    require(curl_set_text(handle, CURLOPT_PROXY, ""))
    // The protocol is chosen in the handshake: HTTP/2 would not carry the bytes that are sent here.
    require(curl_set_number(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1))
    require(curl_set_number(handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2))
    require(curl_set_number(handle, CURLOPT_SSL_VERIFYPEER, settings.verifies ? 1 : 0))
    require(curl_set_number(handle, CURLOPT_SSL_VERIFYHOST, settings.verifies ? 2 : 0))
    require(curl_set_number(handle, CURLOPT_CERTINFO, 1))
    if let authorities = settings.authorities {
      require(curl_set_text(handle, CURLOPT_CAINFO, authorities))
      require(curl_set_text(handle, CURLOPT_CAPATH, nil))
    }
    if let source = settings.source { require(curl_set_text(handle, CURLOPT_INTERFACE, "host!\(source)")) }
    if let addresses = lists.addresses { require(curl_set_pointer(handle, CURLOPT_RESOLVE, addresses)) }
    require(curl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason))
  }

  private static func text(_ kind: CURLINFO, of handle: UnsafeMutableRawPointer) -> String {
    var text: UnsafeMutablePointer<CChar>?
    precondition(curl_read_text(handle, kind, &text) == CURLE_OK, "a connection has addresses")
    return text.map { String(cString: $0) } ?? ""
  }

  private static func certificate(of handle: UnsafeMutableRawPointer) -> ProbedCertificate? {
    var chain: UnsafeMutablePointer<curl_certinfo>?
    guard curl_read_certificates(handle, &chain) == CURLE_OK, let chain, chain.pointee.num_of_certs > 0,
      let list = chain.pointee.certinfo[0]
    else { return nil }
    return ProbedCertificate(
      lines: sequence(first: list) { $0.pointee.next }.compactMap { $0.pointee.data.map { String(cString: $0) } }
    )
  }
}

/// The lists that libcurl reads while the connection lasts; freed with it.
private final class OptionLists {
  /// Nil where the name is looked up.
  let addresses: UnsafeMutablePointer<curl_slist>?

  init(_ url: HTTPURL, _ settings: ProbeConnection.Settings) {
    addresses = settings.address.flatMap { address in
      // An IPv6 address has brackets here; one that is the host itself is not looked up at all.
      let target = address.contains(":") ? "[\(address)]" : address
      return url.host == target ? nil : curl_slist_append(nil, "\(url.host):\(url.port):\(target)")
    }
  }

  deinit { curl_slist_free_all(addresses) }
}

extension HTTPFailure {
  /// The failure of a connection that libcurl could not make; `detail` are its words, which may quote a certificate.
  fileprivate init(connecting code: CURLcode, _ detail: String) {
    let text = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    let words = String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    self =
      switch code {
      case CURLE_OPERATION_TIMEDOUT: .timeout
      case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolve
      case CURLE_COULDNT_CONNECT: .couldNotConnect
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE: .tls(words)
      default: .other(words)
      }
  }
}
