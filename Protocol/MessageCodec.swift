// Encodes and decodes every message: swift-protobuf for both encodings, with this protocol's rules.
//
// Values in, values out; no state. Any bytes from a peer end in a message or in a `DecodingFailure`. Unknown fields are
// ignored and a body unknown to this schema decodes to none, so that either side may be newer.
import SwiftProtobuf

extension Subprotocol {
  /// Decodes a client's message.
  ///
  /// - Parameter bytes: one whole WebSocket message.
  /// - Returns: the message; its `body` is nil when there is none or an unknown one.
  /// - Throws: the fault, with the request's id if it is readable. An unknown word of an enum field is an error; an
  ///   unknown number of one is left for the receiver to judge.
  public func decodeClientMessage(_ bytes: UnsafeRawBufferPointer) throws(DecodingFailure) -> WireClientMessage {
    if case .json = self, let message = WireClientMessage(plainMoves: bytes) { return message }
    do {
      let message = try decode(WireClientMessage.self, from: bytes)
      if case .json = self { try requireKnownWord(of: message.body, in: bytes) }
      return message
    } catch {
      let id = requestID(in: bytes)
      if case .json = self, error is JSONDecodingError, let text = fault(in: bytes, includesUnknown: false) {
        throw DecodingFailure(id: id, text: text)
      }
      throw DecodingFailure(error, of: bytes, id: id)
    }
  }

  /// The first field of a client's good message that the schema does not have, in words for its developer.
  ///
  /// - Parameters:
  ///   - message: the message that the bytes were decoded to.
  ///   - bytes: one whole WebSocket message.
  /// - Returns: nil where every field is known.
  public func unknownField(of message: WireClientMessage, in bytes: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .json:
      if WireClientMessage(plainMoves: bytes) != nil { return nil }
      return fault(in: bytes, includesUnknown: true)
    case .proto:
      var options = BinaryDecodingOptions()
      options.messageDepthLimit = Self.depthMax
      guard let whole = try? WireClientMessage(serializedBytes: bytes.bytes, options: options), whole != message else {
        return nil
      }
      return whole.unknownFields.data.isEmpty
        ? "this server knows one of the body's fields not, or not in this type"
        : "this server knows one of the message's fields not, or not in this type"
    }
  }

  /// The faulty field of a JSON message, and what it takes.
  private func fault(in bytes: UnsafeRawBufferPointer, includesUnknown: Bool) -> String? {
    var text = [UInt8](bytes)
    do throws(DecodingFailure) {
      try JSONText.prepare(&text)
    } catch {
      return nil
    }
    var faults = FieldFaults(includesUnknown: includesUnknown)
    return text.withUnsafeBytes { faults.first(in: $0) }
  }

  /// Decodes a server's message.
  ///
  /// - Parameter bytes: one whole WebSocket message.
  /// - Returns: the message; its `body` is nil when there is none or an unknown one. In JSON an enum's unknown word
  ///   decodes as the enum's `unspecified`.
  /// - Throws: the fault.
  public func decodeServerMessage(_ bytes: UnsafeRawBufferPointer) throws(DecodingFailure) -> WireServerMessage {
    do {
      return try decode(WireServerMessage.self, from: bytes)
    } catch {
      throw DecodingFailure(error, of: bytes, id: nil)
    }
  }

  /// Appends a server's message, encoded.
  public func append(_ message: WireServerMessage, to bytes: inout [UInt8]) {
    bytes += encoded(message)
  }

  /// Appends a client's message, encoded.
  public func append(_ message: WireClientMessage, to bytes: inout [UInt8]) {
    bytes += encoded(message)
  }

  /// A room's whole state by itself, as in a message.
  public func room(_ room: WireRoom) -> [UInt8] { encoded(room) }

  /// The message or part of one as swift-protobuf writes it.
  func encoded(_ message: some Message) -> [UInt8] {
    do {
      switch self {
      case .json: return try message.jsonUTF8Bytes()
      case .proto: return try message.serializedBytes()
      }
    } catch {
      preconditionFailure(
        "the schema has neither required fields nor Any, so every message of it can be encoded: \(error)"
      )
    }
  }

  /// The schema's deepest message has 5 levels; deeper ones have unknown fields, and are refused beyond this depth.
  private static let depthMax = 16

  private func decode<M: Message>(_ type: M.Type, from bytes: UnsafeRawBufferPointer) throws -> M {
    switch self {
    case .json:
      var options = JSONDecodingOptions()
      options.ignoreUnknownFields = true
      options.messageDepthLimit = Self.depthMax
      var text = [UInt8](bytes)
      try JSONText.prepare(&text)
      return try M(jsonUTF8Bytes: text, options: options)
    case .proto:
      var options = BinaryDecodingOptions()
      options.discardUnknownFields = true
      options.messageDepthLimit = Self.depthMax
      return try M(serializedBytes: bytes.bytes, options: options)
    }
  }

  /// Refuses an unknown word of an enum, in the requests that have one.
  ///
  /// Where unknown fields are ignored, swift-protobuf ignores unknown words of enums too, and a creator would get a
  /// room of another mode. An unknown number is kept, and the receiver refuses it.
  private func requireKnownWord(of body: WireClientMessage.OneOf_Body?, in bytes: UnsafeRawBufferPointer) throws {
    switch body {
    case .createRoom:
      try requireKnownWord(of: "mode", in: "createRoom", "create_room", bytes) {
        try WireCreateRoom(jsonUTF8Bytes: $0).mode.rawValue
      }
      try requireKnownWord(of: "fillStrength", in: "createRoom", "create_room", bytes) {
        try WireCreateRoom(jsonUTF8Bytes: $0).fillStrength.rawValue
      }
    case .landRanking:
      try requireKnownWord(of: "span", in: "landRanking", "land_ranking", bytes) {
        try WireLandRankingRequest(jsonUTF8Bytes: $0).span.rawValue
      }
    case .landRankings:
      try requireKnownWord(of: "span", in: "landRankings", "land_rankings", bytes) {
        try WireLandRankingsRequest(jsonUTF8Bytes: $0).span.rawValue
      }
    case .landRankingPage:
      try requireKnownWord(of: "span", in: "landRankingPage", "land_ranking_page", bytes) {
        try WireLandRankingPageRequest(jsonUTF8Bytes: $0).span.rawValue
      }
    case .searchSchools:
      try requireKnownWord(of: "level", in: "searchSchools", "search_schools", bytes) {
        try WireSearchSchools(jsonUTF8Bytes: $0).level.rawValue
      }
    case .listCapsules:
      try requireKnownWord(of: "scope", in: "listCapsules", "list_capsules", bytes) {
        try WireListCapsules(jsonUTF8Bytes: $0).scope.rawValue
      }
      try requireKnownWord(of: "sort", in: "listCapsules", "list_capsules", bytes) {
        try WireListCapsules(jsonUTF8Bytes: $0).sort.rawValue
      }
    case .capsuleMap:
      try requireKnownWord(of: "scope", in: "capsuleMap", "capsule_map", bytes) {
        try WireCapsuleMapRequest(jsonUTF8Bytes: $0).scope.rawValue
      }
    case .capsuleHighlights:
      try requireKnownWord(of: "scope", in: "capsuleHighlights", "capsule_highlights", bytes) {
        try WireCapsuleHighlightsRequest(jsonUTF8Bytes: $0).scope.rawValue
      }
    case .searchCountries:
      try requireKnownWord(of: "continent", in: "searchCountries", "search_countries", bytes) {
        try WireSearchCountries(jsonUTF8Bytes: $0).continent.rawValue
      }
    case .recommendedCountries:
      try requireKnownWord(of: "continent", in: "recommendedCountries", "recommended_countries", bytes) {
        try WireRecommendedCountries(jsonUTF8Bytes: $0).continent.rawValue
      }
    case .listPosts:
      try requireKnownWord(of: "sort", in: "listPosts", "list_posts", bytes) {
        try WireListPosts(jsonUTF8Bytes: $0).sort.rawValue
      }
    case .watchFeed:
      try requireKnownWord(of: "sort", in: "watchFeed", "watch_feed", bytes) {
        try WireWatchFeed(jsonUTF8Bytes: $0).sort.rawValue
      }
    case .report:
      try requireKnownWord(of: "reasons", in: "report", "report", bytes) {
        let numbers = try WireReport(jsonUTF8Bytes: $0).reasons.map(\.rawValue)
        return numbers.first { Int32(exactly: $0) == nil } ?? 0
      }
    default: break
    }
  }

  /// Decodes the field alone by `decode`, in the request with either of two names: nothing is ignored then.
  private func requireKnownWord(
    of field: StaticString,
    in request: StaticString,
    _ schemaName: StaticString,
    _ bytes: UnsafeRawBufferPointer,
    _ decode: ([UInt8]) throws -> Int
  ) throws {
    var message = JSONCursor(bytes)
    while let (key, value) = message.nextMember() {
      guard key.spells(request) || key.spells(schemaName) else { continue }
      var body = JSONCursor(value)
      while let (key, value) = body.nextMember() {
        guard key.spells(field) else { continue }
        let number = try decode([UInt8]("{\"\(field)\":".utf8) + value + [UInt8(ascii: "}")])
        // A number of more than 32 bits would be another one in binary.
        guard Int32(exactly: number) != nil else { throw JSONDecodingError.numberRange }
      }
    }
  }

  /// The id of a request that can't be decoded as a whole.
  private func requestID(in bytes: UnsafeRawBufferPointer) -> UInt32? {
    switch self {
    case .json:
      var message = JSONCursor(bytes)
      while let (key, value) = message.nextMember() {
        guard key.spells("id") else { continue }
        var number = JSONCursor(value)
        guard let id = number.takeInteger(), number.isAtEnd else { return nil }
        return UInt32(exactly: id)
      }
      return nil
    case .proto:
      // Encoders write fields in the order of their numbers, and `id` is number 1 (a varint, wire type 0).
      var message = BinaryCursor(bytes)
      guard message.takeByte() == 1 << 3 | 0 else { return nil }
      return message.takeVarint().flatMap(UInt32.init(exactly:))
    }
  }
}
