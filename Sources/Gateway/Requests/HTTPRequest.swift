// A request over plain HTTP, for features. A value.
import Net
import WebSocket

/// A request over plain HTTP.
package struct HTTPRequest {
  package let head: RequestHead
  /// The components of the path, as sent; the first leads to the route.
  package let path: [Substring]
  package let address: SocketAddress
}
