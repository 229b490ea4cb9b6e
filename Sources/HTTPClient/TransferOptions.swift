// Settings of one exchange, as options of libcurl.
//
// An option that isn't set has libcurl's default: no cookies, no .netrc, no DNS over HTTPS, no other service that a
// receiver names (Alt-Svc), and a body as it comes.
import CCurl

extension Transfer {
  /// Makes the transfer ready to begin; called once.
  func setOptions(_ settings: HTTPClientSettings, _ request: HTTPClientRequest) {
    apply(settings)
    apply(request)
  }

  private func apply(_ settings: HTTPClientSettings) {
    let limits = settings.limits
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectMs)
    set(CURLOPT_TIMEOUT_MS, limits.totalMs)
    // Signals would be those of the whole process.
    set(CURLOPT_NOSIGNAL, 1)
    // A look-up that is still under way when its exchange ends is left to its thread; waiting for it would halt all.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    set(CURLOPT_HTTP09_ALLOWED, 0)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    // None, not even that of the environment.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_USERAGENT, settings.userAgent)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let authorities = settings.authorities {
      set(CURLOPT_CAINFO, authorities)
      set(CURLOPT_CAPATH, nil)
    }
    require(curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.bodyBytesMax)))
    require(curl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason))

    let context = Unmanaged.passUnretained(self).toOpaque()
    require(curl_set_socket_opener(handle, openSocket))
    require(curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context))
    require(curl_set_taker(handle, CURLOPT_HEADERFUNCTION, takeHeaderLine))
    require(curl_set_pointer(handle, CURLOPT_HEADERDATA, context))
    require(curl_set_taker(handle, CURLOPT_WRITEFUNCTION, takeBody))
    require(curl_set_pointer(handle, CURLOPT_WRITEDATA, context))
  }

  private func apply(_ request: HTTPClientRequest) {
    set(CURLOPT_URL, request.url.text)
    for header in request.headers { append(header) }
    set(CURLOPT_HTTPGET, 1)
    if let (body, type) = request.method.content {
      append(HTTPHeader("Content-Type", type))
      // An empty field removes libcurl's own, which asks whether the body is wanted and waits for the answer.
      append(line: "Expect:")
      set(CURLOPT_POST, 1)
      require(curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
      // A null pointer would have libcurl read the standard input.
      (body.isEmpty ? [0] : body).withUnsafeBytes {
        require(curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress)))
      }
    }
    // The name alone: how the body is sent is settled above.
    switch request.method {
    case .get, .post: break
    case .put, .delete: set(CURLOPT_CUSTOMREQUEST, request.method.name)
    }
    require(curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields))
  }

  private func append(_ header: HTTPHeader) {
    // libcurl takes a colon with nothing behind it for a field to leave out.
    append(line: header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
  }

  private func append(line: String) {
    fields = curl_slist_append(fields, line)
    precondition(fields != nil, "memory for a header")
  }

  private func set(_ option: CURLoption, _ value: Int) { require(curl_set_number(handle, option, value)) }

  private func set(_ option: CURLoption, _ value: String?) { require(curl_set_text(handle, option, value)) }

  private func require(_ code: CURLcode) {
    precondition(code == CURLE_OK, "libcurl takes the option: \(String(cString: curl_easy_strerror(code)))")
  }
}
