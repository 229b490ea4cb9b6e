// Message digests, computed by OpenSSL: of bytes in memory in one call, of others piece by piece. Callable from
// anywhere.
// SHA-1 is here for the WebSocket handshake alone (RFC 6455 §4.2.2 fixes it and asks nothing of its strength). SHA-256
// is for everything that must resist an attacker.
import COpenSSL

/// Digests of bytes that lie in memory as a whole.
package enum Digest {
  /// The SHA-1 digest (FIPS 180-4): 20 bytes. Only for protocols that fix it.
  package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    compute(bytes, byteCount: Int(SHA_DIGEST_LENGTH), with: SHA1)
  }

  /// The SHA-256 digest (FIPS 180-4): 32 bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    compute(bytes, byteCount: Int(SHA256_DIGEST_LENGTH), with: SHA256)
  }

  private typealias OneShot = (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>?

  private static func compute(_ bytes: [UInt8], byteCount: Int, with digest: OneShot) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: byteCount) { output, initializedCount in
      // OpenSSL 3 looks the algorithm up in its providers; null means that this installation forbids it, and a
      // server that can't hash must not go on.
      let written = bytes.withUnsafeBufferPointer { digest($0.baseAddress, $0.count, output.baseAddress) }
      precondition(written != nil, "OpenSSL can compute the digest")
      initializedCount = byteCount
    }
  }
}

/// The SHA-256 digest of bytes that come in pieces.
package struct SHA256Stream: ~Copyable {
  private let context: OpaquePointer

  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("OpenSSL can compute the digest")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    precondition(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1, "OpenSSL takes any bytes")
  }

  /// The digest of all that was added: 32 bytes.
  package consuming func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { output, initializedCount in
      precondition(EVP_DigestFinal_ex(context, output.baseAddress, nil) == 1, "OpenSSL can compute the digest")
      initializedCount = output.count
    }
  }
}
