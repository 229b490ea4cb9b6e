// `ranking`, put together from two parts that are encoded apart: what is the same for all who want as many schools, and what
// is the same for all of one school. Rows are encoded once, however many are told of them.
//
// Appends to the caller's buffer and keeps nothing. The bytes are exactly those that swift-protobuf writes for the same
// message.

extension Subprotocol {
  /// One row of a `ranking`.
  ///
  /// - Parameter school: what it tells.
  /// - Returns: bytes for `rankingHead`.
  public func rankingRow(_ school: WireRankedSchool) -> [UInt8] {
    encoded(school)
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
  ///   - mine: the school.
  ///   - neighbours: the schools next to it.
  /// - Returns: bytes for `appendRanking`.
  public func rankingTail(mine: WireRankedSchool, neighbours: [WireRankedSchool]) -> [UInt8] {
    var part = WireRanking()
    part.mine = mine
    part.neighbours = neighbours
    return encoded(part)
  }

  /// Appends a whole `ServerMessage` with a `ranking`, encoded.
  ///
  /// - Parameters:
  ///   - head: what `rankingHead` has made.
  ///   - tail: what `rankingTail` has made; empty for who has no school.
  ///   - bytes: what is appended to.
  public func appendRanking(_ head: [UInt8], _ tail: [UInt8], to bytes: inout [UInt8]) {
    switch self {
    case .json:
      // Each part is an object; neither is empty, for a season is never 0 and a school never without its identifier.
      bytes.append(text: "{\"ranking\":")
      bytes += head
      if !tail.isEmpty {
        bytes[bytes.count - 1] = UInt8(ascii: ",")
        bytes += tail.dropFirst()
      }
      bytes.append(text: "}")
    case .proto:
      bytes.append(longTag: 21, .lengthDelimited)
      bytes.append(varint: UInt32(head.count + tail.count))
      bytes += head
      bytes += tail
    }
  }
}
