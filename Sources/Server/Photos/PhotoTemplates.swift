// The texts of an operator with places to be filled: the URL of a source, and the attribution of its photos. Pure.
import ConsoleProtocol
import Game
import HTTPClient

/// A URL with `{country}`, `{name}` and `{key}` in it.
struct PhotoURLTemplate: Sendable {
  private let text: String
  private let key: String

  init(_ text: String, key: String?) {
    self.text = text
    self.key = key ?? ""
  }

  var hasKey: Bool { text.contains("{key}") }

  /// The URL for a country: its two letters, and its English name.
  func url(of country: Country) throws(HTTPURLError) -> HTTPURL {
    let fields = ["country": country.code.description, "name": country.name.english, "key": key]
    return try HTTPURL(Template.filled(text) { fields[$0].map(Self.encoded) })
  }

  /// The text with everything but letters, digits and `-._~` percent-encoded.
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default: encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return encoded
  }
}

/// An attribution with places for what a source answers: `{/photos/0/user/name}` by a JSON pointer, `{X-Author}` by the
/// name of a header field. What is not there is left out.
struct PhotoAttributionTemplate: Sendable {
  private let text: String

  init(_ text: String) { self.text = text }

  func attribution(of response: HTTPClientResponse, _ document: JSONDocument?) -> String {
    Template.filled(text) { place in
      if place.hasPrefix("/") { return JSONPointer(place).flatMap { document?.text(at: $0) } ?? "" }
      return response.value(of: place) ?? ""
    }
  }
}

private enum Template {
  /// The text with the values of its places; a place that `value` does not know stays as it is.
  static func filled(_ text: String, _ value: (String) -> String?) -> String {
    var filled = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      filled += rest[..<start]
      filled += value(String(rest[rest.index(after: start)..<end])) ?? String(rest[start...end])
      rest = rest[rest.index(after: end)...]
    }
    return filled + rest
  }
}
