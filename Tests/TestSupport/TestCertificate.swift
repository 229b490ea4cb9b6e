// A certificate of a test's own, in files with the same lifetime: an elliptic-curve key, signed by itself, valid for a
// day, for 127.0.0.1 and localhost.
//
// One for each test.
import COpenSSL

package final class TestCertificate {
  private let folder: TestFolder
  package var certificateFile: String { folder.file("cert.pem") }
  package var keyFile: String { folder.file("key.pem") }
  package let name: String

  /// `name` is the subject's common name, to tell certificates apart.
  package init(_ name: String = "localhost") throws {
    folder = try TestFolder()
    self.name = name
    try write()
  }

  /// Writes a new key and a new certificate over the old ones.
  package func write(named newName: String? = nil) throws {
    let key = try Self.makeKey()
    defer { EVP_PKEY_free(key) }
    guard let certificate = X509_new() else { throw TestFailure("no certificate") }
    defer { X509_free(certificate) }
    let subject = X509_get_subject_name(certificate)
    let bytes = Array((newName ?? name).utf8)
    let isMade =
      X509_set_version(certificate, 2) == 1
      && ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...1_000_000_000)) == 1
      && X509_gmtime_adj(X509_getm_notBefore(certificate), -3_600) != nil
      && X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400) != nil
      && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1
      && X509_set_issuer_name(certificate, subject) == 1
      && Self.add(NID_subject_alt_name, "IP:127.0.0.1,DNS:localhost", to: certificate)
      && Self.add(NID_basic_constraints, "critical,CA:TRUE", to: certificate)
      && X509_set_pubkey(certificate, key) == 1
      && X509_sign(certificate, key, EVP_sha256()) != 0
    guard isMade else { throw TestFailure("can't make a certificate") }
    try Self.write(certificateFile) { PEM_write_bio_X509($0, certificate) }
    try Self.write(keyFile) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// Corrupts the certificate's file.
  package func spoil() throws {
    try Self.write(certificateFile) { BIO_write($0, "no certificate", 14) }
  }

  private static func makeKey() throws -> OpaquePointer {
    guard let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { throw TestFailure("no key") }
    defer { EVP_PKEY_CTX_free(maker) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(maker) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, NID_X9_62_prime256v1) == 1,
      EVP_PKEY_keygen(maker, &key) == 1, let key
    else { throw TestFailure("can't make a key") }
    return key
  }

  private static func add(_ kind: Int32, _ value: String, to certificate: OpaquePointer) -> Bool {
    guard let extra = X509V3_EXT_conf_nid(nil, nil, kind, value) else { return false }
    defer { X509_EXTENSION_free(extra) }
    return X509_add_ext(certificate, extra, -1) == 1
  }

  private static func write(_ path: String, _ body: (OpaquePointer?) -> Int32) throws {
    guard let file = BIO_new_file(path, "w") else { throw TestFailure("can't write \(path)") }
    defer { BIO_free(file) }
    guard body(file) > 0 else { throw TestFailure("can't write \(path)") }
  }
}
