// Encodes `ranking` by hand from shared parts: a school's names, which never change; a row; the first rows, the same
// for all receivers of that number; a school's own part, the same for all its players.
//
// Appends to the caller's buffer and keeps nothing. The bytes are exactly those of swift-protobuf for the same message.

extension Subprotocol {
  /// The part of a row of a `ranking` that describes a school, besides its rank and count.
  ///
  /// - Parameters:
  ///   - schoolID: its identifier, not empty.
  ///   - name: its name.
  ///   - region: its region; empty where it is unknown.
  /// - Returns: bytes for `rankingRow`.
  public func rankingSchool(_ schoolID: String, name: String, region: String) -> [UInt8] {
    precondition(!schoolID.isEmpty, "a school has an identifier")
    var school = WireRankedSchool()
    school.schoolID = schoolID
    school.name = name
    school.region = region
    let bytes = encoded(school)
    return self == .json ? Array(bytes.dropFirst().dropLast()) : bytes
  }

  /// One row of a `ranking`.
  ///
  /// - Parameters:
  ///   - rank: from 1; 0 for a school without a count.
  ///   - school: the result of `rankingSchool`.
  ///   - count: its count, not negative.
  /// - Returns: bytes for `rankingHead` and `rankingTail`.
  public func rankingRow(rank: UInt32, _ school: [UInt8], count: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(school.count + 48)
    switch self {
    case .json:
      bytes.append(text: "{")
      bytes.append(member: "\"rank\":", skippingZero: rank)
      if rank != 0 { bytes.append(text: ",") }
      bytes += school
      if count != 0 {
        // 64-bit numbers are strings.
        bytes.append(text: ",\"count\":\"")
        bytes += String(count).utf8
        bytes.append(text: "\"")
      }
      bytes.append(text: "}")
    case .proto:
      bytes.append(field: 1, skippingZero: rank)
      bytes += school
      if count != 0 {
        bytes.append(tag: 5, .varint)
        bytes.append(varint: UInt64(count))
      }
    }
    return bytes
  }

  /// The part of a `ranking` that does not depend on the receiver.
  ///
  /// - Parameters:
  ///   - season: the running season, from 1.
  ///   - top: the first schools, from `rankingRow`.
  /// - Returns: bytes for `appendRanking`.
  public func rankingHead(season: UInt32, top: ArraySlice<[UInt8]>) -> [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .json:
      bytes.append(text: "{")
      bytes.append(member: "\"season\":", skippingZero: season)
      bytes.append(member: "\"top\":", values: top)
      bytes.append(text: "}")
    case .proto:
      bytes.append(field: 1, skippingZero: season)
      for row in top { bytes.append(field: 2, message: row) }
    }
    return bytes
  }

  /// The part of a `ranking` for one school.
  ///
  /// - Parameters:
  ///   - mine: the school's row.
  ///   - neighbours: the rows of the schools next to it.
  /// - Returns: bytes for `appendRanking`.
  public func rankingTail(mine: [UInt8], neighbours: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .json:
      bytes.append(text: "{")
      bytes.append(member: "\"mine\":", value: mine)
      bytes.append(member: "\"neighbours\":", values: neighbours)
      bytes.append(text: "}")
    case .proto:
      bytes.append(field: 3, message: mine)
      for row in neighbours { bytes.append(field: 4, message: row) }
    }
    return bytes
  }

  /// Appends a whole `ServerMessage` with a `ranking`, encoded.
  ///
  /// - Parameters:
  ///   - head: the result of `rankingHead`.
  ///   - tail: the result of `rankingTail`; empty for a receiver without a school.
  ///   - timeMs: the moment of the ranking, milliseconds since the Unix epoch, above 0.
  ///   - replyTo: the request that it answers; nil for a notification.
  ///   - bytes: the buffer to append to.
  public func appendRanking(
    _ head: [UInt8],
    _ tail: [UInt8],
    timeMs: Int64,
    replyTo: UInt32? = nil,
    to bytes: inout [UInt8]
  ) {
    switch self {
    case .json:
      bytes.append(text: "{")
      if let replyTo {
        bytes.append(text: "\"replyTo\":")
        bytes += String(replyTo).utf8
        bytes.append(text: ",")
      }
      bytes.append(text: "\"ranking\":")
      // Each part is an object, and the first one is not empty, since a season is never 0.
      bytes += head
      if !tail.isEmpty {
        bytes[bytes.count - 1] = UInt8(ascii: ",")
        bytes += tail.dropFirst()
      }
      bytes[bytes.count - 1] = UInt8(ascii: ",")
      bytes.append(text: "\"timeMs\":\"")
      bytes += String(timeMs).utf8
      bytes.append(text: "\"}}")
    case .proto:
      if let replyTo {
        bytes.append(tag: 1, .varint)
        bytes.append(varint: replyTo)
      }
      bytes.append(longTag: 21, .lengthDelimited)
      let time = UInt64(timeMs)
      bytes.append(varint: UInt32(head.count + tail.count + 1 + time.varintSize))
      bytes += head
      bytes += tail
      bytes.append(tag: 5, .varint)
      bytes.append(varint: time)
    }
  }
}
