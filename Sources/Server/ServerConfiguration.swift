// What an operator decides about a server; everything else are rules and limits of the code.
//
// A value, fixed when the server starts.
import Net

package struct ServerConfiguration: Sendable {
  /// Ticks a second of a room whose creator names none; 1 to 20.
  package var tickHz = 10
  /// How many shards; nil for as many as cores.
  package var shards: Int?
  /// What join URLs begin with (`https://play.example.org`); nil for the address served.
  package var publicURL: String?
  /// The folder that the pages lie in.
  package var webRoot: String
  /// How long a running game may go on after the server was told to end; seconds.
  package var graceSeconds: Int64 = 30
  /// Serves `/echo` for the WebSocket conformance suites.
  package var conformance = false
  package var netLimits = NetLimits()
  /// How newcomers come in: TLS, proxies.
  package var entrance = Entrance()

  package init(webRoot: String) {
    self.webRoot = webRoot
  }
}
