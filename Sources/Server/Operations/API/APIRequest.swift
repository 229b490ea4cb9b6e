// The reading of a request of the API: the members of its path, its query and its body become one message of the
// console's, so that both are read by the same code.
//
// Pure. Any bytes end in JSON or in a fault; a member that is not known is a fault, since a misspelt one would be left
// out without a word.
import ConsoleProtocol
import WebSocket

enum APIRequest {
  /// The parts of a path behind `/v1`, decoded; nil for a path that is none of the API's, or has no sound escapes.
  static func parts(ofPath path: String) -> [String]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[0].isEmpty, parts[1] == "v1" else { return nil }
    let decoded = parts.dropFirst(2).compactMap { decode($0, plusIsSpace: false) }
    return decoded.count == parts.count - 2 ? decoded : nil
  }

  /// The message of a request as JSON.
  static func json(
    of route: APIRoute,
    path values: [String],
    query: String?,
    body: [UInt8]
  ) throws(APIFault) -> [UInt8] {
    var members: [(name: String, value: [UInt8])] = []
    for (member, value) in zip(route.pathMembers, values) { members.append((member.name, try json(of: member, value))) }
    let others = route.otherMembers
    guard route.method == .post || route.method == .put else {
      members += try queried(query, others)
      return object(members, before: [])
    }
    guard query == nil else { throw .invalid("\(route.method.rawValue) has its members in its body, and no query") }
    guard !body.isEmpty else { return object(members, before: []) }
    do throws(ConsoleSchema.Fault) {
      try ConsoleSchema.console.check(body, is: route.message ?? "Because", with: others.map(\.name))
    } catch {
      switch error {
      case .notAnObject: throw .invalid("the body is not an object of JSON")
      case .unknownMember(let name):
        let isOfPath = route.pathMembers.contains { $0.name == name }
        throw .invalid(isOfPath ? "\(name): it stands in the path" : "\(name): there is no such member")
      }
    }
    // An object begins with its brace: white space may stand before that.
    let inner = body.drop { $0 != UInt8(ascii: "{") }.dropFirst()
    return object(members, before: inner)
  }

  /// An object with these members, and then what lies behind the brace of another object: nothing where there is none.
  private static func object(_ members: [(name: String, value: [UInt8])], before inner: ArraySlice<UInt8>) -> [UInt8] {
    var json = [UInt8(ascii: "{")]
    json.reserveCapacity(inner.count + 64 * members.count + 2)
    for (index, member) in members.enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      json += JSONTree.text(member.name).json
      json.append(UInt8(ascii: ":"))
      json += member.value
    }
    guard let next = inner.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      json.append(UInt8(ascii: "}"))
      return json
    }
    if next != UInt8(ascii: "}"), !members.isEmpty { json.append(UInt8(ascii: ",")) }
    return json + inner
  }

  // Queries.

  private static func queried(
    _ query: String?,
    _ known: [ConsoleSchema.Member]
  ) throws(APIFault) -> [(name: String, value: [UInt8])] {
    var found: [(name: String, value: [UInt8])] = []
    for pair in (query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decode(parts[0], plusIsSpace: true),
        let value = decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
      else { throw .invalid("the query has a percent sign that begins no escape") }
      guard let member = known.first(where: { $0.name == name }) else {
        throw .invalid("\(name): there is no such parameter")
      }
      guard !found.contains(where: { $0.name == name }) else { throw .invalid("\(name): it stands there twice") }
      found.append((name, try json(of: member, value)))
    }
    return found
  }

  /// The JSON of a value of a path or a query.
  private static func json(of member: ConsoleSchema.Member, _ value: String) throws(APIFault) -> [UInt8] {
    switch member.kind {
    case .bool:
      guard ["true", "false"].contains(value) else { throw .invalid("\(member.name): true or false") }
      return Array(value.utf8)
    case .integer:
      guard let number = Int64(value) else { throw .invalid("\(member.name): a whole number") }
      return JSONTree.number(number).json
    default: return JSONTree.text(value).json
    }
  }

  /// A text without its escapes (RFC 3986 §2.1); nil where one is unsound, or the bytes are no text.
  private static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard rest.count >= 2, rest.prefix(2).allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
          let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
