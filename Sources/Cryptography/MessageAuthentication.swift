// Authentication codes of messages under a secret key, computed by OpenSSL in one call. Pure functions, callable from
// anywhere.
import COpenSSL

package enum MessageAuthentication {
  /// HMAC with SHA-256 (RFC 2104, FIPS 198-1): 32 bytes. The key has any length, also none.
  package static func hmacSHA256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    hmac("SHA256", of: message, key: key, byteCount: Int(SHA256_DIGEST_LENGTH))
  }

  /// HMAC with SHA-1: 20 bytes. Only for protocols that fix it; for a code it is not broken.
  package static func hmacSHA1(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    hmac("SHA1", of: message, key: key, byteCount: Int(SHA_DIGEST_LENGTH))
  }

  private static func hmac(_ digest: String, of message: [UInt8], key: [UInt8], byteCount: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { output, initializedCount in
      // OpenSSL takes a null key for no key at all, which an empty array would be.
      let written = (key.isEmpty ? [0] : key).withUnsafeBytes { bytes in
        EVP_Q_mac(
          nil,
          "HMAC",
          nil,
          digest,
          nil,
          bytes.baseAddress,
          key.count,
          message,
          message.count,
          output.baseAddress,
          byteCount,
          &initializedCount
        )
      }
      // Null means that this installation forbids it; a server that can't sign must not go on.
      precondition(written != nil && initializedCount == byteCount, "OpenSSL can compute the code")
    }
  }
}
