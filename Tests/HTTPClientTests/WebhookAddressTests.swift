// The check of an address that an operator names for a webhook, and dates of HTTP.
import HTTPClient
import Testing

@Suite("Addresses of webhooks")
struct WebhookAddressTests {
  @Test(
    "Public ones are taken",
    arguments: [
      "https://example.org/madang", "https://93.184.215.14/", "https://[2606:4700::1111]/hook",
    ]
  )
  func taken(url: String) {
    #expect(WebhookAddress.fault(url, allowsPrivate: false) == nil)
  }

  @Test(
    "Others need the flag",
    arguments: [
      "http://example.org/", "https://localhost/", "https://127.0.0.1/", "https://10.1.2.3/",
      "https://2130706433/", "https://[::1]/", "https://[fd00::1]/", "https://[::ffff:192.168.0.1]/",
    ]
  )
  func refused(url: String) {
    let fault = WebhookAddress.fault(url, allowsPrivate: false)
    #expect(fault?.description.contains("--webhook-private-addresses") == true)
    #expect(["URL_INSECURE", "ADDRESS_PRIVATE"].contains(fault?.code))
    #expect(WebhookAddress.fault(url, allowsPrivate: true) == nil)
  }

  @Test(
    "Link-local and reserved ones are refused at once, with the flag too",
    arguments: [
      ("https://169.254.169.254/latest", "169.254.169.254"), ("https://[fe80::1]/", "[fe80::1]"),
      ("http://[::ffff:169.254.1.1]/", "[::ffff:169.254.1.1]"), ("https://0.0.0.0/", "0.0.0.0"),
      ("https://255.255.255.255/", "255.255.255.255"), ("https://[ff02::1]/", "[ff02::1]"),
    ]
  )
  func unreachable(url: String, host: String) {
    for allowsPrivate in [false, true] {
      #expect(WebhookAddress.fault(url, allowsPrivate: allowsPrivate) == .unreachable(host: host))
    }
  }

  @Test("What is no URL to send to is refused with the flag too", arguments: ["ftp://example.org/", "example.org", ""])
  func noURL(text: String) {
    #expect(WebhookAddress.fault(text, allowsPrivate: true) != nil)
  }
}

@Suite("Dates of HTTP")
struct HTTPDateTests {
  @Test(
    "All three forms are read",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ]
  )
  func forms(text: String) {
    #expect(HTTPDate.seconds(text) == 784_111_777)
  }

  @Test("Other texts are no dates", arguments: ["", "120", "soon", "20261126", "25:61:99"])
  func others(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }
}
