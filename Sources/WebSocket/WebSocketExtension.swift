// One extension named in Sec-WebSocket-Extensions, offered or chosen, and the parser of that header's lists (RFC 6455
// §9.1). Plain values. Other code decides whether the extension is known.

/// An extension's name and its parameters, in their original case and order.
struct WebSocketExtension: Sendable, Equatable {
  struct Parameter: Sendable, Equatable {
    let name: String
    /// The value without its quotes; nil for a parameter without a value.
    let value: String?
  }

  let name: String
  var parameters: [Parameter] = []

  /// All extensions of all fields in their order; empty without a field. Nil when a field breaks the grammar, or when
  /// all of them together name nothing.
  static func list(of values: [String]) -> [WebSocketExtension]? {
    var all: [WebSocketExtension] = []
    for value in values {
      var reader = ExtensionListReader(value)
      guard let some = reader.list() else { return nil }
      all += some
    }
    return all.isEmpty && !values.isEmpty ? nil : all
  }
}

/// Reads `1#( token *( ";" token [ "=" ( token / quoted-string ) ] ) )`, with optional white space between the parts.
private struct ExtensionListReader {
  private var rest: Substring.UTF8View

  init(_ value: String) {
    rest = value[...].utf8
  }

  /// Nil when the rest is no such list; empty elements count as none (RFC 9110 §5.6.1.2).
  mutating func list() -> [WebSocketExtension]? {
    var extensions: [WebSocketExtension] = []
    repeat {
      skipSpaces()
      if rest.isEmpty || rest.first == UInt8(ascii: ",") { continue }
      guard let name = token() else { return nil }
      var found = WebSocketExtension(name: name)
      while take(";") {
        guard let parameter = parameter() else { return nil }
        found.parameters.append(parameter)
      }
      extensions.append(found)
    } while take(",")
    return rest.isEmpty ? extensions : nil
  }

  private mutating func parameter() -> WebSocketExtension.Parameter? {
    skipSpaces()
    guard let name = token() else { return nil }
    guard take("=") else { return WebSocketExtension.Parameter(name: name, value: nil) }
    skipSpaces()
    guard let value = take("\"") ? restOfQuotedString() : token() else { return nil }
    return WebSocketExtension.Parameter(name: name, value: value)
  }

  private mutating func token() -> String? {
    let token = rest.prefix(while: HTTPGrammar.isTokenByte)
    rest = rest[token.endIndex...]
    return token.isEmpty ? nil : String(Substring(token))
  }

  /// The rest of a quoted string behind its first quote: without its backslashes it must be a token.
  private mutating func restOfQuotedString() -> String? {
    var value: [UInt8] = []
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        return HTTPGrammar.isToken(value) ? String(decoding: value, as: UTF8.self) : nil
      }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        byte = escaped
      }
      value.append(byte)
    }
    return nil
  }

  /// Takes the character if it comes next, spaces apart.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpaces() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}
