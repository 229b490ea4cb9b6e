// Signatures of webhooks against examples made by other implementations.
import HTTPClient
import Testing

@Suite("Signatures of webhooks")
struct WebhookSignatureTests {
  @Test(
    "A message has the signature that other implementations give it",
    arguments: [
      // The example of Standard Webhooks.
      (
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330,
        Array(#"{"test": 2432232314}"#.utf8), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
      ),
      // The others are computed by Python's hmac.
      (
        "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", "a", 0,
        [], "v1,N+Hx3edQLOlFWLC6mCr/sY5tyN1fcB3a/kg4SRyryWQ="
      ),
      (
        "whsec_yMnKy8zNzs/Q0dLT1NXW19jZ2tvc3d7f4OHi4+Tl5uc=", "1792-17", 1_767_225_600,
        (0...255).map { UInt8($0) }, "v1,jkYClHXaKV/K4dwntVfk8e4kgpANY8Wp4mGjTRf6bho="
      ),
      (
        "whsec_/////////////////////////////////////////////////////////////////////////////////////w==", "~!", -1,
        Array("é".utf8), "v1,B4Yh7rx5hubZS85mf3c34/tTiDryr+WO8cC/FJkLkbA="
      ),
    ] as [(String, String, Int64, [UInt8], String)]
  )
  func examples(secret: String, id: String, timestampS: Int64, body: [UInt8], signature: String) throws {
    let secret = try #require(WebhookSecret(secret))
    let headers = WebhookSignature.headers(id: id, timestampS: timestampS, body: body, secrets: [secret])
    #expect(
      headers == [
        HTTPHeader("webhook-id", id),
        HTTPHeader("webhook-timestamp", String(timestampS)),
        HTTPHeader("webhook-signature", signature),
      ]
    )
  }

  @Test("Two secrets give two signatures, each as it would be alone")
  func rotation() {
    let secrets = [WebhookSecret.make(), WebhookSecret.make()]
    func signature(_ secrets: [WebhookSecret]) -> String {
      WebhookSignature.headers(id: "a", timestampS: 1, body: [1], secrets: secrets)[2].value
    }
    #expect(signature(secrets) == "\(signature([secrets[0]])) \(signature([secrets[1]]))")
  }

  @Test("A new secret has 32 bytes, differs from others, and is read back from its text")
  func secrets() {
    let texts = (0..<16).map { _ in WebhookSecret.make().text }
    #expect(Set(texts).count == texts.count)
    for text in texts {
      #expect(text.utf8.count == 6 + 44)
      #expect(WebhookSecret(text)?.text == text)
    }
  }

  @Test("A secret of fewer than 24 or more than 64 bytes, or in another form, is refused")
  func refusedSecrets() {
    func secret(byteCount: Int) -> WebhookSecret? {
      // Each three bytes are four digits.
      let rest = ["", "AA==", "AAA="][byteCount % 3]
      return WebhookSecret("whsec_" + String(repeating: "AAAA", count: byteCount / 3) + rest)
    }
    #expect(secret(byteCount: 23) == nil)
    #expect(secret(byteCount: 24) != nil)
    #expect(secret(byteCount: 64) != nil)
    #expect(secret(byteCount: 65) == nil)
    for text in ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
      #expect(WebhookSecret(text) == nil, "\(text)")
    }
  }

  @Test("A secret's description does not tell it")
  func description() {
    let secret = WebhookSecret.make()
    for text in ["\(secret)", String(describing: [secret]), String(reflecting: secret)] {
      #expect(!text.contains(secret.text.dropFirst(6)))
      #expect(!text.contains("key"))
    }
  }
}
