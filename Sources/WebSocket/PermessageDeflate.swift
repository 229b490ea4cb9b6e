// The extension permessage-deflate (RFC 7692): the agreement of two ends, from the offers of a client to the answer of
// a server. A plain value without any state of zlib.
//
// No context is ever taken over from one message to the next, in either direction. So a message for many receivers is
// compressed once, and a connection owns no memory of zlib. An offer that does not allow this is declined.
// Decisions: 015 (docs/decisions).

/// The agreement. A message whose first frame has RSV1 set is compressed; any message may be sent uncompressed.
package struct PermessageDeflate: Sendable, Equatable {
  /// The server compresses with a window of two to the power of this, that of its `Deflater`.
  package let serverWindowBits: Int
  /// The client compresses with a window of two to the power of this.
  package let clientWindowBits: Int

  /// The window of our side unless the peer asks for less. Messages are short; a deflater of 12 bits takes 39 KB, one
  /// of 15 takes 140.
  package static let ownWindowBits = 12

  /// The window that zlib can't compress with: it makes 9 of an 8, and a peer that keeps a window of 8 could not read
  /// that.
  private static let unusableWindowBits = 8
  private static let name = "permessage-deflate"

  package init(serverWindowBits: Int, clientWindowBits: Int) {
    self.serverWindowBits = serverWindowBits
    self.clientWindowBits = clientWindowBits
  }
}

// The server's side.
extension PermessageDeflate {
  /// The first acceptable offer of a client, and the answer's element of Sec-WebSocket-Extensions; nil when there is
  /// none. Other extensions are skipped.
  static func accept(_ offers: [WebSocketExtension]) -> (agreed: PermessageDeflate, answer: String)? {
    for offer in offers where offer.name == name {
      if let accepted = accept(offer) { return accepted }
    }
    return nil
  }

  private static func accept(_ offer: WebSocketExtension) -> (agreed: PermessageDeflate, answer: String)? {
    guard let parameters = Parameters(offer), parameters.serverMaxWindowBits != unusableWindowBits else { return nil }
    let agreed = PermessageDeflate(
      serverWindowBits: min(ownWindowBits, parameters.serverMaxWindowBits ?? ownWindowBits),
      clientWindowBits: parameters.clientMaxWindowBits ?? Parameters.windowBitsMax
    )
    // The server may forbid context takeover and name its own window unasked. It may name the client's window only if
    // that was offered (RFC 7692 §7.1.1, §7.1.2).
    var answer = "\(name); server_no_context_takeover; client_no_context_takeover"
    answer += "; server_max_window_bits=\(agreed.serverWindowBits)"
    if parameters.namesClientMaxWindowBits { answer += "; client_max_window_bits=\(agreed.clientWindowBits)" }
    return (agreed, answer)
  }
}

// The client's side.
extension PermessageDeflate {
  /// The one offer that this client makes.
  static let offer = "\(name); server_no_context_takeover; client_no_context_takeover; client_max_window_bits"

  /// The agreement in a server's answer to `offer`.
  init(answer: WebSocketExtension) throws(UpgradeFailure) {
    guard answer.name == Self.name else { throw .notOffered("The extension \(answer.name) was not offered.") }
    for parameter in answer.parameters where !Parameters.names.contains(parameter.name) {
      throw .notOffered("The parameter \(parameter.name) was not offered.")
    }
    guard let parameters = Parameters(answer),
      parameters.namesClientMaxWindowBits == (parameters.clientMaxWindowBits != nil)
    else { throw .malformed("A parameter of \(Self.name) appears twice or has no valid value.") }
    guard parameters.serverNoContextTakeover else {
      throw .notOffered("The server would go on from one message to the next, which was not offered.")
    }
    guard parameters.clientMaxWindowBits != Self.unusableWindowBits else {
      throw .notOffered("The client can't compress with a window of 8 bits.")
    }
    self.init(
      serverWindowBits: parameters.serverMaxWindowBits ?? Parameters.windowBitsMax,
      clientWindowBits: min(Self.ownWindowBits, parameters.clientMaxWindowBits ?? Self.ownWindowBits)
    )
  }
}

extension PermessageDeflate {
  /// The parameters of one offer or answer (RFC 7692 §7.1).
  private struct Parameters {
    static let names: Set<String> = [
      "server_no_context_takeover", "client_no_context_takeover", "server_max_window_bits", "client_max_window_bits",
    ]
    static let windowBitsMax = 15

    private(set) var serverNoContextTakeover = false
    private(set) var serverMaxWindowBits: Int?
    /// Whether an offer names it. Without a value the client leaves the choice to the server.
    private(set) var namesClientMaxWindowBits = false
    private(set) var clientMaxWindowBits: Int?

    /// Nil when a parameter is unknown, appears twice, or has an illegal value.
    init?(_ described: WebSocketExtension) {
      var seen: Set<String> = []
      for parameter in described.parameters {
        guard seen.insert(parameter.name).inserted else { return nil }
        switch (parameter.name, parameter.value) {
        case ("server_no_context_takeover", nil):
          serverNoContextTakeover = true
        case ("client_no_context_takeover", nil):
          break
        case ("server_max_window_bits", let value?):
          guard let bits = Self.windowBits(value) else { return nil }
          serverMaxWindowBits = bits
        case ("client_max_window_bits", nil):
          namesClientMaxWindowBits = true
        case ("client_max_window_bits", let value?):
          guard let bits = Self.windowBits(value) else { return nil }
          (namesClientMaxWindowBits, clientMaxWindowBits) = (true, bits)
        default:
          return nil
        }
      }
    }

    /// 8 to 15 in decimal, without leading zeros.
    private static func windowBits(_ text: String) -> Int? {
      (8...windowBitsMax).first { String($0) == text }
    }
  }
}
