// OpenSSL at the end of a process.
// Decisions: 014 (docs/decisions).
import COpenSSL

package enum OpenSSLLifetime {
  /// Makes OpenSSL leave its memory to the kernel when the process exits. Call it first in every program that has
  /// shards.
  ///
  /// By default OpenSSL frees it in `exit`, which waits for no thread. A thread that ends at that moment frees its own
  /// part a second time, and the process aborts. The call does nothing after the first use of OpenSSL.
  package static func leaveToKernel() {
    precondition(OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1, "OpenSSL can be initialized")
  }
}
