// HTTP from the server to others: webhooks, mail, keys of identity issuers. The only way out.
//
// Any thread calls it. libcurl runs on a serial queue of the client's own, where the completions come too. Receivers
// are strangers: an exchange is bounded in time and size, follows no redirect, and connects to no address that the
// policy refuses. A request may arrive twice, since libcurl sends it again when a connection that it had kept turns out
// to be closed before any byte of a response has come.
// Decisions: 113 (docs/decisions).
import Dispatch

package final class HTTPClient: Sendable {
  private let queue = DispatchQueue(label: "http client")
  private let mailbox: RequestMailbox
  // Used on the queue alone.
  private nonisolated(unsafe) let driver: TransferDriver

  /// - Parameters:
  ///   - version: the server's, for `User-Agent: madang/VERSION`; printable ASCII without blanks.
  ///   - addresses: the addresses that may be connected to.
  ///   - limits: bounds, each positive.
  ///   - authorities: the path of a PEM file with the certificates to trust instead of the system's. A file that can't
  ///     be read makes each request to https fail with `HTTPFailure.tls`. A changed file counts within a day.
  package init(
    version: String,
    addresses: AddressPolicy = .publicOnly,
    limits: HTTPClientLimits = HTTPClientLimits(),
    authorities: String? = nil
  ) {
    precondition(!version.isEmpty && version.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a version is a word")
    precondition(limits.isValid, "limits are positive")
    CurlLibrary.prepare()
    let multi = MultiHandle(connectionsMax: limits.transfersMax)
    let settings = HTTPClientSettings(
      userAgent: "madang/\(version)",
      addresses: addresses,
      limits: limits,
      authorities: authorities
    )
    mailbox = RequestMailbox(openMax: limits.transfersMax + limits.waitingMax, handle: multi)
    driver = TransferDriver(mailbox, settings, multi)
  }

  /// Sends the request as soon as fewer than `transfersMax` are under way. `then` is called exactly once, on the
  /// client's queue and never within this call. It must not block; it may call `send` and `stop`. Any response is a
  /// success, whatever its status.
  ///
  /// The caller holds no lock of the last rank.
  package func send(
    _ request: HTTPClientRequest,
    then: @escaping @Sendable (Result<HTTPClientResponse, HTTPFailure>) -> Void
  ) {
    if mailbox.put(RequestMailbox.Entry(request: request, then: then)) { drive() }
  }

  /// Ends everything: what is under way, waits or comes later fails with `HTTPFailure.cancelled`. `then` is called on
  /// the client's queue when every request before this call has been completed and the connections are closed. May be
  /// called again.
  package func stop(then: @escaping @Sendable () -> Void) {
    if mailbox.stop(then) { drive() }
  }

  // The driver outlives this client while requests are under way.
  private func drive() {
    nonisolated(unsafe) let driver = driver
    queue.async { driver.run() }
  }
}
