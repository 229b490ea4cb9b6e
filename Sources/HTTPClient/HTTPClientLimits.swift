// The bounds of a client. A value; each number is positive.

package struct HTTPClientLimits: Hashable, Sendable {
  /// The longest time until a connection stands: the look-up of the name, TCP and TLS.
  package var connectMs = 5_000
  /// The longest time of a whole exchange, from the start of its connection to the end of the response. The time that a
  /// request waits for others is not in it.
  package var totalMs = 15_000
  /// The longest body of a response.
  package var bodyBytesMax = 65_536
  /// The most bytes of all header fields of a response, those of interim responses (1xx) and behind the body included.
  package var headerBytesMax = 65_536
  /// The most exchanges at once.
  package var transfersMax = 16
  /// The most requests that wait for an exchange to end.
  package var waitingMax = 1_000

  package init() {}

  var isValid: Bool {
    [connectMs, totalMs, bodyBytesMax, headerBytesMax, transfersMax, waitingMax].allSatisfy {
      $0 > 0 && $0 <= Int(Int32.max)
    }
  }
}
