// A request to be sent, and the response to one. Values.

package struct HTTPClientRequest: Sendable {
  package enum Method: Hashable, Sendable {
    case get
    /// `contentType` is printable ASCII.
    case post(body: [UInt8], contentType: String)
    case put(body: [UInt8], contentType: String)
    case delete

    /// The method as it is sent.
    package var name: String {
      switch self {
      case .get: "GET"
      case .post: "POST"
      case .put: "PUT"
      case .delete: "DELETE"
      }
    }

    /// The body and its type, of methods that have one.
    var content: (body: [UInt8], type: String)? {
      switch self {
      case .post(let body, let type), .put(let body, let type): (body, type)
      case .get, .delete: nil
      }
    }
  }

  package let url: HTTPURL
  package let method: Method
  package let headers: [HTTPHeader]

  /// `headers` come in addition to those that the client writes: Host, User-Agent, Accept, Content-Type and
  /// Content-Length. Each name is a token, and each value printable ASCII without blanks at its ends: check a text of
  /// somebody else's before.
  package init(_ method: Method, _ url: HTTPURL, headers: [HTTPHeader] = []) {
    for header in headers {
      precondition(header.isSendable, "a header can be sent")
      precondition(!Self.namesOfClient.contains { header.isNamed($0) }, "\(header.name) is the client's own")
    }
    if let type = method.content?.type {
      precondition(!type.isEmpty && HTTPHeader("Content-Type", type).isSendable, "a type can be sent")
    }
    self.url = url
    self.method = method
    self.headers = headers
  }

  /// Whether a request can have a header of somebody else's text.
  package static func allows(_ header: HTTPHeader) -> Bool {
    header.isSendable && !namesOfClient.contains { header.isNamed($0) }
  }

  private static let namesOfClient = [
    "Connection", "Content-Length", "Content-Type", "Expect", "Host", "Transfer-Encoding", "User-Agent",
  ]
}

package struct HTTPClientResponse: Hashable, Sendable {
  /// The status code, 200 and above: 3xx too, since no redirect is followed.
  package let status: Int
  /// The header fields in the order of their coming; fields behind the body are left out.
  package let headers: [HTTPHeader]
  /// The body as it came: no content coding is asked for, and none is undone.
  package let body: [UInt8]

  /// The value of the first field of that name, in any case of letters.
  package func value(of name: String) -> String? { headers.first { $0.isNamed(name) }?.value }
}
