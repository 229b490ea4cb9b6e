// `ranking`, put together by hand from parts that many share: what a school is called, which never changes; a row; the first
// rows, the same for all who want as many; a school's own part, the same for all of it.
//
// Appends to the caller's buffer and keeps nothing. The bytes are exactly those that swift-protobuf writes for the same
// message.

extension Subprotocol {
  /// What a row of a `ranking` tells of a school besides its rank and count.
  ///
  /// - Parameters:
  ///   - schoolID: its identifier, not empty.
  ///   - name: its name.
  ///   - region: its region; empty where it is not known.
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
  ///   - school: what `rankingSchool` has made.
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

  /// The part of a `ranking` that has nothing to do with who receives it.
  ///
  /// - Parameters:
  ///   - season: the season that runs, from 1.
  ///   - top: the first schools, as `rankingRow` has made them.
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

  /// The part of a `ranking` that is a school's.
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
  ///   - head: what `rankingHead` has made.
  ///   - tail: what `rankingTail` has made; empty for who has no school.
  ///   - timeMs: the moment that it tells of, milliseconds since the Unix epoch, above 0.
  ///   - replyTo: the request that it answers; nil for news.
  ///   - bytes: what is appended to.
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
      // Each part is an object, and the first one not empty, for a season is never 0.
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
