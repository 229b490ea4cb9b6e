// The golden messages, decoded and encoded, and their completeness.
import Foundation
import MadangProtocol
import Testing

@Suite("Golden messages")
struct VectorTests {
  @Test(
    "A golden message decodes to the same from both encodings and is written with the same bytes",
    arguments: Vector.all
  )
  func roundTrip(_ vector: Vector) throws {
    let json = try vector.bytes(.json)
    let binary = try vector.bytes(.proto)
    switch vector.side {
    case .client:
      let message = try Subprotocol.json.decodeClient(json)
      #expect(try Subprotocol.proto.decodeClient(binary) == message)
      #expect(Subprotocol.json.encode(message) == json)
      #expect(Subprotocol.proto.encode(message) == binary)
      #expect(bodyName(message.body) == vector.body)
    case .server:
      let message = try Subprotocol.json.decodeServer(json)
      #expect(try Subprotocol.proto.decodeServer(binary) == message)
      #expect(Subprotocol.json.encode(message) == json)
      #expect(Subprotocol.proto.encode(message) == binary)
      #expect(bodyName(message.body) == vector.body)
    }
  }

  @Test("Another form of a golden message decodes to the same", arguments: Vector.Side.allCases)
  func alternatives(_ side: Vector.Side) throws {
    let files = Vector.files(in: "alternatives/\(side.rawValue)")
    #expect(files.count > 4)
    for file in files {
      let name = try #require(file.components(separatedBy: "--").first)
      let original = try Vector(side: side, name: name).bytes(.json)
      let bytes = try Vector.read("alternatives/\(side.rawValue)/\(file)")
      let encoding = Subprotocol(ofFile: file)
      switch side {
      case .client: #expect(try encoding.decodeClient(bytes) == Subprotocol.json.decodeClient(original), "\(file)")
      case .server: #expect(try encoding.decodeServer(bytes) == Subprotocol.json.decodeServer(original), "\(file)")
      }
    }
  }

  @Test(
    "Invalid messages are refused, with the request's id if it stands first",
    arguments: Vector.files(in: "refused/client")
  )
  func refused(_ file: String) throws {
    let bytes = try Vector.read("refused/client/\(file)")
    let failure = #expect(throws: DecodingFailure.self) { try Subprotocol(ofFile: file).decodeClient(bytes) }
    #expect(failure?.text.isEmpty == false)
    let withoutID: Set = [
      "empty.json", "notJSON.json", "notAnObject.json", "null.json", "numberTooLarge.json", "negative.json",
      "leadingZero.json", "varintTooLong.binpb", "text.binpb",
    ]
    #expect(failure?.id == (withoutID.contains(file) ? nil : 1))
    #expect(Subprotocol(ofFile: file).move(bytes) == nil)
  }

  @Test("Every body of the schema has a golden message")
  func bodies() throws {
    for (message, side) in [("ClientMessage", Vector.Side.client), ("ServerMessage", .server)] {
      let bodies = try Schema().bodies(of: message)
      #expect(bodies.count >= 8)
      let covered = Set(Vector.all.filter { $0.side == side }.map(\.body))
      #expect(covered == bodies.union(["none"]), "\(message)")
    }
  }

  @Test("Every kind of event has a golden message")
  func events() throws {
    let events = try Vector.all.filter { $0.side == .server }.flatMap { vector in
      try Subprotocol.json.decodeServer(vector.bytes(.json)).tick.events
    }
    #expect(Set(events.map { bodyName($0.body) }) == (try Schema().bodies(of: "Event")))
  }

  /// The name of a oneof's case, which swift-protobuf takes from the field's.
  private func bodyName<Body>(_ body: Body?) -> String {
    body.flatMap { Mirror(reflecting: $0).children.first?.label } ?? "none"
  }
}

/// The tests' own view of `madang.proto`, since the generated code can't be enumerated.
struct Schema {
  let text: String

  init() throws {
    text = try String(contentsOf: Vector.protocolFolder.appendingPathComponent("madang.proto"), encoding: .utf8)
  }

  /// The JSON names in a message's `oneof body`.
  func bodies(of message: String) throws -> Set<String> {
    let declaration = try #require(text.components(separatedBy: "\nmessage \(message) {").dropFirst().first)
    let oneof = try #require(declaration.components(separatedBy: "oneof body {").dropFirst().first)
    let fields = try #require(oneof.components(separatedBy: "\n  }").first)
    return Set(fields.matches(of: /(\w+) = \d+;/).map { Self.nameInJSON($0.1) })
  }

  /// The JSON names of all fields of all messages.
  var fields: Set<String> {
    Set(text.matches(of: /\n +(?:optional |repeated )?\w+ (\w+) = \d+;/).map { Self.nameInJSON($0.1) })
  }

  private static func nameInJSON(_ name: Substring) -> String {
    let words = name.split(separator: "_")
    return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
  }

  /// Every word of every enum but the zeros, which stand for unknown values.
  var words: [String] {
    text.matches(of: /\n +([A-Z][A-Z_]+) = [1-9]\d*;/).map { String($0.1) }
  }
}
