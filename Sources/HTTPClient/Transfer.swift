// One exchange under way: libcurl's handle of it, and the response as far as it has come.
//
// Used on the client's queue alone. libcurl has pointers to it, so the driver holds it until the handle is removed.
import CCurl

final class Transfer {
  let handle: UnsafeMutableRawPointer
  let then: RequestMailbox.Completion
  private let limits: HTTPClientLimits
  private let addresses: AddressPolicy
  /// The header fields that libcurl sends; freed with the transfer.
  var fields: UnsafeMutablePointer<curl_slist>?
  /// libcurl's words for its last failure, ended by a zero.
  let reason: UnsafeMutablePointer<CChar>

  private var head = ResponseHead()
  private var body: [UInt8] = []
  /// The failure that made this client end the transfer.
  private var failure: HTTPFailure?
  private var hasRefusedAddress = false

  init(_ entry: RequestMailbox.Entry, _ settings: HTTPClientSettings) {
    guard let handle = curl_easy_init() else { preconditionFailure("memory for a transfer") }
    self.handle = handle
    then = entry.then
    limits = settings.limits
    addresses = settings.addresses
    reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
    reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(fields)
    reason.deallocate()
  }

  /// Takes bytes of the body. False ends the transfer.
  func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= limits.bodyBytesMax - body.count else {
      failure = .bodyTooLarge
      return false
    }
    body += bytes
    return true
  }

  /// Takes a line of the header. False ends the transfer.
  func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
    head.take(line)
    guard head.byteCount <= limits.headerBytesMax else {
      failure = .other(Self.headerTooLong)
      return false
    }
    return true
  }

  /// Whether libcurl may connect to the address.
  func mayConnect(to address: UnsafeRawBufferPointer) -> Bool {
    if addresses.allows(socketAddress: address) { return true }
    hasRefusedAddress = true
    return false
  }

  /// The result of the transfer that libcurl has ended with `code`.
  func result(_ code: CURLcode) -> Result<HTTPClientResponse, HTTPFailure> {
    if let failure { return .failure(failure) }
    switch code {
    case CURLE_OK:
      var status = 0
      let isRead = curl_read_number(handle, CURLINFO_RESPONSE_CODE, &status)
      precondition(isRead == CURLE_OK, "a response has a status")
      return .success(HTTPClientResponse(status: status, headers: head.headers, body: body))
    case CURLE_OPERATION_TIMEDOUT: return .failure(.timeout)
    case CURLE_COULDNT_RESOLVE_HOST: return .failure(.couldNotResolve)
    case CURLE_COULDNT_CONNECT: return .failure(hasRefusedAddress ? .addressRefused : .couldNotConnect)
    case CURLE_FILESIZE_EXCEEDED: return .failure(.bodyTooLarge)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      return .failure(.tls(words(for: code)))
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
      return .failure(.other("the receiver ended the connection early"))
    // The schemes are known to be supported, so this is libcurl's word for HTTP/0.9: a response without a header.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .failure(.other("the response is not HTTP"))
    // A line beyond libcurl's own bound.
    case CURLE_OUT_OF_MEMORY: return .failure(.other(Self.headerTooLong))
    default: return .failure(.other(words(for: code)))
    }
  }

  private static let headerTooLong = "the response's header is too long"

  /// libcurl's words. They may quote a certificate, so only printable ASCII is kept of them.
  private func words(for code: CURLcode) -> String {
    let detail = String(cString: reason)
    let text = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    return String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}
