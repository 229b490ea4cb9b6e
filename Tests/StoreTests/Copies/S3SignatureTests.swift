// Signatures of requests to S3-compatible stores, by the examples of Amazon's documentation.
import Copies
import Game
import HTTPClient
import Testing

@Suite("Signatures of requests to buckets")
struct S3SignatureTests {
  private static let key = S3Key(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
  /// 24 May 2013.
  private static let moment = Instant(milliseconds: 1_369_353_600_000)

  private func signature(
    _ method: String,
    _ path: String,
    query: [(String, String)] = [],
    headers: [HTTPHeader] = [],
    body: String = ""
  ) throws -> String {
    let all = S3Signature.headers(
      method: method,
      host: "examplebucket.s3.amazonaws.com",
      path: path,
      query: query,
      headers: headers,
      body: Array(body.utf8),
      key: Self.key,
      region: "us-east-1",
      at: Self.moment
    )
    #expect(all.first { $0.name == "x-amz-date" }?.value == "20130524T000000Z")
    let field = try #require(all.first { $0.name == "Authorization" }?.value)
    #expect(field.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"))
    return String(field.suffix(64))
  }

  @Test("The documentation's requests have the documentation's signatures")
  func documented() throws {
    #expect(
      try signature("GET", "/test.txt", headers: [HTTPHeader("Range", "bytes=0-9")])
        == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    )
    #expect(
      try signature(
        "PUT",
        "/test%24file.text",
        headers: [
          HTTPHeader("Date", "Fri, 24 May 2013 00:00:00 GMT"), HTTPHeader("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ],
        body: "Welcome to Amazon S3."
      ) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    )
    #expect(
      try signature("GET", "/", query: [("lifecycle", "")])
        == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
    )
    #expect(
      try signature("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
        == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    )
  }

  @Test("All but unreserved characters are written as %XX, byte by byte")
  func encoding() {
    #expect(S3Signature.encoded("a-B_9.~") == "a-B_9.~")
    #expect(S3Signature.encoded("a b/c$ü") == "a%20b%2Fc%24%C3%BC")
    #expect(S3Signature.encoded("a/b", keepsSlashes: true) == "a/b")
    #expect(S3Signature.query([("z", "1"), ("a", "x/y")]) == "a=x%2Fy&z=1")
  }

  @Test("A key that holds for a while is sent and signed with its token")
  func token() {
    let key = S3Key(id: "id", secret: "secret", sessionToken: "token")
    let headers = S3Signature.headers(
      method: "GET",
      host: "h",
      path: "/",
      body: [],
      key: key,
      region: "r",
      at: Self.moment
    )
    #expect(headers.contains(HTTPHeader("x-amz-security-token", "token")))
    #expect(headers.last?.value.contains(";x-amz-security-token,") == true)
  }
}
