// libcurl's beginning, once for the process, and the handle under which it keeps connections.
import CCurl
import Glibc

enum CurlLibrary {
  /// Makes libcurl ready; the first call does it. libcurl sets OpenSSL up, so what must precede that comes before.
  static func prepare() { isPrepared }

  private static let isPrepared: Void = {
    precondition(curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, "libcurl can be initialized")
    // OpenSSL writes to its sockets by write(2): a receiver that has gone would end the process. libcurl, which may set
    // no timers by signals here, leaves the signal alone too.
    signal(SIGPIPE, SIG_IGN)
  }()
}

/// A multi handle of libcurl, with its connections and its cache of addresses. Any thread may wake it, and everything
/// else is for the client's queue. It ends with its last holder.
final class MultiHandle: Sendable {
  // A pointer to what libcurl guards by the rules above.
  nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

  init(connectionsMax: Int) {
    guard let pointer = curl_multi_init() else { preconditionFailure("memory for a client") }
    self.pointer = pointer
    precondition(
      curl_multi_set_number(pointer, CURLMOPT_MAXCONNECTS, connectionsMax) == CURLM_OK,
      "libcurl takes the number of connections to keep"
    )
  }

  deinit { curl_multi_cleanup(pointer) }

  /// Ends the present or next wait for network events.
  func wake() { curl_multi_wakeup(pointer) }
}
