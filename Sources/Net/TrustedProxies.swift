// The origin of a request that comes through proxies: the part of `X-Forwarded-For` that can be believed.
//
// A value, set by the operator. Each proxy appends the address of its caller. So the header is true from the right up
// to the first address that is not one of our own proxies; the owner of that address wrote the rest.

/// The proxies whose statement of a client's address is believed.
package struct TrustedProxies: Sendable, Equatable {
  /// The number of hops that are believed; more are a loop or an attack.
  package static let hopCountMax = 32

  private let networks: [IPNetwork]

  package init(_ networks: [IPNetwork] = []) {
    self.networks = networks
  }

  package var isEmpty: Bool { networks.isEmpty }

  package func contains(_ address: IPAddress) -> Bool {
    networks.contains { $0.contains(address) }
  }

  /// The address that the request was sent from, by all values of `X-Forwarded-For` in the order in which they came.
  ///
  /// From the right, our proxies are skipped; the first other address is the client. A peer that is no proxy of ours is
  /// the client itself, with any header. At an element that is empty or no address, or after too many, the last
  /// believed address stands. That is a proxy's: a broken chain may hold its clients to one limit, but never lets one
  /// choose its address.
  package func clientAddress(peer: IPAddress, forwardedFor values: [String]) -> IPAddress {
    // By bytes, not by characters: some letters of Unicode join with a comma behind them and would hide it.
    let elements = values.reversed().lazy.flatMap {
      $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).reversed()
    }
    var client = peer
    for element in elements.prefix(Self.hopCountMax) {
      guard contains(client), let address = Self.address(in: element) else { break }
      client = address
    }
    return client
  }

  /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`, with blanks around.
  private static func address(in element: Substring.UTF8View) -> IPAddress? {
    let text = trimmed(element)
    let colon = UInt8(ascii: ":")
    if text.first == UInt8(ascii: "[") {
      guard let bracket = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let inside = text[..<bracket].dropFirst()
      let port = text[bracket...].dropFirst()
      guard inside.contains(colon), port.isEmpty || isPort(port) else { return nil }
      return IPAddress(Substring(inside))
    }
    // One colon stands before a port; an IPv6 address has two or more.
    guard let first = text.firstIndex(of: colon), text.lastIndex(of: colon) == first else {
      return IPAddress(Substring(text))
    }
    return isPort(text[first...]) ? IPAddress(Substring(text[..<first])) : nil
  }

  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    text.first == UInt8(ascii: ":") && DecimalDigits.value(of: text.dropFirst(), max: 65_535) != nil
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
