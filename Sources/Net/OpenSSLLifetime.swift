// OpenSSL at the end of a process.
// Decisions: 014 (docs/decisions).
import COpenSSL

package enum OpenSSLLifetime {
  /// Leaves to the kernel what OpenSSL has when the process exits.
  ///
  /// By default it gives that back in `exit`, which waits for no thread: one that ends at that moment gives back its own part
  /// a second time, and the process aborts. Call it first in every program that has shards: it does nothing once something of
  /// OpenSSL was used.
  package static func leaveToKernel() {
    precondition(OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1, "OpenSSL begins")
  }
}
