// The server's certificate and key as files, and the context made of them. It is made anew when the operator has
// renewed them.
//
// Any thread may ask for the context. Sessions under way keep the context that they began with.
import Locks

package final class TLSCertificate: Sendable {
  private let certificate: String
  private let key: String
  private let current: OrderedMutex<TLSContext>

  /// - Parameters:
  ///   - certificate: the path of a PEM file with the whole chain.
  ///   - key: the path of its private key's PEM file.
  /// - Throws: `TLSFailure` when the pair can't be used.
  package init(certificate: String, key: String) throws(TLSFailure) {
    self.certificate = certificate
    self.key = key
    current = OrderedMutex(.leaf, try TLSContext(certificate: certificate, key: key))
  }

  /// The context of the next session.
  package var context: TLSContext { current.withLock { $0 } }

  /// Reads both files again. Tickets get new keys, so a returning client makes one full handshake.
  ///
  /// - Throws: `TLSFailure` when the pair can't be used; the previous one stays.
  package func reload() throws(TLSFailure) {
    let fresh = try TLSContext(certificate: certificate, key: key)
    current.withLock { $0 = fresh }
  }
}
