// Signatures of requests to S3-compatible stores: AWS Signature Version 4 with the body's digest. Pure.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import Cryptography
import Game
import HTTPClient

/// The key that a store knows a program by.
package struct S3Key: Hashable, Sendable {
  package let id: String
  package let secret: String
  /// Of a key that holds for a while; nil for others.
  package let sessionToken: String?

  package init(id: String, secret: String, sessionToken: String? = nil) {
    (self.id, self.secret, self.sessionToken) = (id, secret, sessionToken)
  }
}

package enum S3Signature {
  private static let algorithm = "AWS4-HMAC-SHA256"

  /// The header fields of a request beside Host, those of `headers` among them, which are signed too. `host` and `path`
  /// are as they are sent: with the port where it is not the scheme's own, with `%XX` for what is no unreserved
  /// character. The names and values of `query` are as they are meant.
  package static func headers(
    method: String,
    host: String,
    path: String,
    query: [(String, String)] = [],
    headers: [HTTPHeader] = [],
    body: [UInt8],
    key: S3Key,
    region: String,
    at moment: Instant
  ) -> [HTTPHeader] {
    let digest = Hexadecimal.encode(Digest.sha256(body))
    let time = String(moment.utc.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
    var sent = headers + [HTTPHeader("x-amz-content-sha256", digest), HTTPHeader("x-amz-date", time)]
    if let token = key.sessionToken { sent.append(HTTPHeader("x-amz-security-token", token)) }
    let signed = (sent + [HTTPHeader("host", host)]).map { ($0.name.lowercased(), $0.value) }.sorted { $0.0 < $1.0 }
    let names = signed.map(\.0).joined(separator: ";")
    let request = """
      \(method)
      \(path)
      \(self.query(query))
      \(signed.map { "\($0.0):\($0.1)\n" }.joined())
      \(names)
      \(digest)
      """
    let text = "\(algorithm)\n\(time)\n\(scope)\n\(Hexadecimal.encode(Digest.sha256(Array(request.utf8))))"
    let steps = [String(time.prefix(8)), region, "s3", "aws4_request", text]
    let signature = steps.reduce(Array("AWS4\(key.secret)".utf8)) { key, step in
      MessageAuthentication.hmacSHA256(of: Array(step.utf8), key: key)
    }
    sent.append(
      HTTPHeader(
        "Authorization",
        "\(algorithm) Credential=\(key.id)/\(scope),SignedHeaders=\(names),Signature=\(Hexadecimal.encode(signature))"
      )
    )
    return sent
  }

  /// A query as it is signed and sent: sorted by name.
  package static func query(_ query: [(String, String)]) -> String {
    query.map { (encoded($0.0), encoded($0.1)) }.sorted { $0.0 < $1.0 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// A text with `%XX` for all but RFC 3986's unreserved characters and, with `keepsSlashes`, slashes.
  package static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        String(UnicodeScalar(byte))
      case _ where "-._~".utf8.contains(byte) || keepsSlashes && byte == UInt8(ascii: "/"):
        String(UnicodeScalar(byte))
      default: "%\(Hexadecimal.encode([byte]).uppercased())"
      }
    }.joined()
  }
}
