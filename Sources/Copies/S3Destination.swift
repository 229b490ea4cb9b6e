// A copy in a bucket of an S3-compatible store. Blocks; any thread.
//
// Buckets are parts of paths, never of hosts, as every such store understands it. An object is there as a whole or not
// at all, and lists show it at once: that is what these stores promise.
// Decisions: 153 (docs/decisions).
import Dispatch
import Game
import HTTPClient
import Locks

package struct S3Destination: CopyDestination {
  /// Where a bucket is, and by which key it is used.
  package struct Settings: Sendable {
    /// Scheme, host and port, like `https://s3.eu-central-1.amazonaws.com`.
    package var endpoint: String
    package var region: String
    package var key: S3Key
    package var version: String

    package init(endpoint: String, region: String, key: S3Key, version: String) {
      (self.endpoint, self.region, self.key, self.version) = (endpoint, region, key, version)
    }
  }

  private let settings: Settings
  private let client: HTTPClient
  private let host: String
  private let base: String
  private let bucket: String
  /// The beginning of all objects' names; empty, or with a slash at its end.
  private let prefix: String
  private let now: @Sendable () -> Instant

  /// - Throws: `CopyFailure` for an endpoint or names that can't be used.
  package init(
    bucket: String,
    prefix: String,
    _ settings: Settings,
    now: @escaping @Sendable () -> Instant
  ) throws(CopyFailure) {
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try HTTPURL(settings.endpoint)
    } catch {
      throw CopyFailure("\(settings.endpoint): \(error)")
    }
    let isOwnPort = url.port == (url.isSecure ? 443 : 80)
    host = isOwnPort ? url.host : "\(url.host):\(url.port)"
    base = "\(url.isSecure ? "https" : "http")://\(host)"
    guard url.text == "\(base)/" || url.text == base else {
      throw CopyFailure("the endpoint \(settings.endpoint) is not like https://s3.example.org")
    }
    guard !bucket.isEmpty, (bucket + prefix).utf8.allSatisfy(Self.isNameByte), !bucket.contains("/") else {
      throw CopyFailure("a bucket and a prefix have letters, digits and the signs . - _ /")
    }
    let parts = prefix.split(separator: "/")
    guard parts.allSatisfy({ $0 != "." && $0 != ".." }) else { throw CopyFailure("a prefix has no . and no ..") }
    self.bucket = bucket
    self.prefix = parts.isEmpty ? "" : parts.joined(separator: "/") + "/"
    self.settings = settings
    self.now = now
    var limits = HTTPClientLimits()
    limits.connectMs = 10_000
    limits.totalMs = 120_000
    limits.bodyBytesMax = 256 << 20
    // The operator names the endpoint, so it may be in their own network.
    client = HTTPClient(version: settings.version, addresses: .privateAllowed, limits: limits)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._/".utf8.contains(byte)
    }
  }

  package func put(_ name: String, _ bytes: [UInt8]) throws(CopyFailure) {
    let response = try send(.put(body: bytes, contentType: "application/octet-stream"), name, body: bytes)
    guard response.status == 200 else { throw failure("writing \(name)", response) }
  }

  package func get(_ name: String) throws(CopyFailure) -> [UInt8] {
    let response = try send(.get, name)
    guard response.status == 200 else { throw failure("reading \(name)", response) }
    return response.body
  }

  package func find(_ name: String) throws(CopyFailure) -> [UInt8]? {
    let response = try send(.get, name)
    if response.status == 200 { return response.body }
    // A bucket that is not there is no empty one.
    if response.status == 404, Self.code(of: response) == "NoSuchKey" { return nil }
    throw failure("reading \(name)", response)
  }

  package func entries(in folder: String) throws(CopyFailure) -> CopyEntries {
    let start = folder.isEmpty ? prefix : "\(prefix)\(folder)/"
    var entries = CopyEntries()
    var token: String?
    repeat {
      var query = [("delimiter", "/"), ("list-type", "2"), ("prefix", start)]
      if let token { query.append(("continuation-token", token)) }
      let response = try send(.get, nil, query: query)
      guard response.status == 200, let page = S3Listing(String(decoding: response.body, as: UTF8.self)) else {
        throw failure("listing \(folder)", response)
      }
      entries.files += page.keys.filter { $0.hasPrefix(start) && $0 != start }.map { String($0.dropFirst(start.count)) }
      entries.folders += page.prefixes.filter { $0.hasPrefix(start) && $0.hasSuffix("/") }.map {
        String($0.dropFirst(start.count).dropLast())
      }
      token = page.next
    } while token != nil
    entries.files.sort()
    entries.folders.sort()
    return entries
  }

  package func delete(_ name: String) throws(CopyFailure) {
    let response = try send(.delete, name)
    guard [200, 204, 404].contains(response.status) else { throw failure("deleting \(name)", response) }
  }

  /// Sends a request for an object, or with nil for the bucket.
  private func send(
    _ method: HTTPClientRequest.Method,
    _ name: String?,
    query: [(String, String)] = [],
    body: [UInt8] = []
  ) throws(CopyFailure) -> HTTPClientResponse {
    let object = name.map { "/" + S3Signature.encoded(prefix + $0, keepsSlashes: true) } ?? ""
    let path = "/\(S3Signature.encoded(bucket))\(object)"
    let headers = S3Signature.headers(
      method: method.name,
      host: host,
      path: path,
      query: query,
      body: body,
      key: settings.key,
      region: settings.region,
      at: now()
    )
    let url: HTTPURL
    do throws(HTTPURLError) {
      url = try HTTPURL(base + path + (query.isEmpty ? "" : "?" + S3Signature.query(query)))
    } catch {
      throw CopyFailure("\(name ?? bucket): \(error)")
    }
    let answered = DispatchSemaphore(value: 0)
    let answer = OrderedMutex<Result<HTTPClientResponse, HTTPFailure>?>(.leaf, nil)
    client.send(HTTPClientRequest(method, url, headers: headers)) { result in
      answer.withLock { $0 = result }
      answered.signal()
    }
    answered.wait()
    switch answer.withLock({ $0 }) {
    case .success(let response): return response
    case .failure(let failure): throw CopyFailure("\(host): \(failure)")
    case nil: preconditionFailure("a request is answered")
    }
  }

  private static func code(of response: HTTPClientResponse) -> String? {
    S3Listing.error(in: String(decoding: response.body.prefix(4_096), as: UTF8.self))
  }

  private func failure(_ what: String, _ response: HTTPClientResponse) -> CopyFailure {
    let code = Self.code(of: response)
    return CopyFailure("\(what): \(host) answers \(response.status)\(code.map { " \($0)" } ?? "")")
  }
}
