// The server's certificate and key as files, and the context made of them; made anew when the operator has renewed them.
//
// Any thread may ask for the context; sessions that are under way keep the one they began with.
import Synchronization

package final class TLSCertificate: Sendable {
  private let certificate: String
  private let key: String
  private let current: Mutex<TLSContext>

  /// - Parameters:
  ///   - certificate: the path of a PEM file with the whole chain.
  ///   - key: the path of its private key's PEM file.
  /// - Throws: `TLSFailure` when the pair can't be used.
  package init(certificate: String, key: String) throws(TLSFailure) {
    self.certificate = certificate
    self.key = key
    current = Mutex(try TLSContext(certificate: certificate, key: key))
  }

  /// What the next session is made from.
  package var context: TLSContext { current.withLock { $0 } }

  /// Reads both files again. Keys of tickets are new then: who comes back shakes hands in full once.
  ///
  /// - Throws: `TLSFailure` when the pair can't be used; the one before stays.
  package func reload() throws(TLSFailure) {
    let fresh = try TLSContext(certificate: certificate, key: key)
    current.withLock { $0 = fresh }
  }
}
