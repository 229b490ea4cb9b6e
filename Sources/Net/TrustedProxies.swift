// Who a request comes from when it comes through proxies: what `X-Forwarded-For` says, as far as it can be believed.
//
// A value, set by the operator. Each proxy appends the address that it was called from, so the header is true from the
// right up to the first address that is not one of our own proxies; whatever stands left of that, its owner wrote.

/// The proxies whose word on a client's address is taken.
package struct TrustedProxies: Sendable, Equatable {
  /// How many hops are believed in; more are a loop or an attack.
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
  /// From the right, our proxies are passed over; the first address that is none is the client. A peer that is no proxy
  /// of ours is the client itself, whatever it says. Where an element is empty or no address, or there are too many, the
  /// last address that was believed stands: a proxy's, then, so a broken chain may hold its clients to one limit but
  /// never lets one choose its address.
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

  /// Takes `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`, with blanks around.
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
