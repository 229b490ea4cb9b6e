// The ranking made of parts, compared with swift-protobuf's bytes.
import MadangProtocol
import SeededRandom
import Testing

@Suite("Rankings")
struct RankingWriterTests {
  @Test(
    "Every golden ranking is written with its bytes",
    arguments: Vector.all.filter { $0.side == .server && $0.body == "ranking" }
  )
  func vectors(_ vector: Vector) throws {
    for encoding in Subprotocol.allCases {
      let bytes = try vector.bytes(encoding)
      #expect(encoding.written(try encoding.decodeServer(bytes)) == bytes)
    }
  }

  @Test("Random rankings are written as swift-protobuf writes them", arguments: Subprotocol.allCases)
  func random(_ encoding: Subprotocol) {
    var random = SplitMix64(seed: 20_261_122)
    for _ in 0..<500 {
      var message = WireServerMessage()
      if random.chance(50) { message.replyTo = .random(in: 0...(.max), using: &random) }
      message.ranking.timeMs = .random(in: 1...(1 << 52), using: &random)
      message.ranking.season = .random(in: 1...(.max), using: &random)
      message.ranking.top = (0..<Int.random(in: 0...20, using: &random)).map { random.school(rank: UInt32($0) + 1) }
      if random.chance(80) {
        message.ranking.mine = random.school(rank: .random(in: 0...20_000, using: &random))
        message.ranking.neighbours = (0..<Int.random(in: 0...2, using: &random)).map { random.school(rank: UInt32($0)) }
      }
      #expect(encoding.written(message) == encoding.encode(message))
    }
  }
}

extension Subprotocol {
  fileprivate func written(_ message: WireServerMessage) -> [UInt8] {
    let ranking = message.ranking
    // The first rows are a slice of an array with more.
    let rows = (ranking.top + ranking.top).map(row)
    let head = rankingHead(season: ranking.season, top: rows[..<ranking.top.count])
    let tail = ranking.hasMine ? rankingTail(mine: row(ranking.mine), neighbours: ranking.neighbours.map(row)) : []
    var bytes: [UInt8] = []
    appendRanking(head, tail, timeMs: ranking.timeMs, replyTo: message.hasReplyTo ? message.replyTo : nil, to: &bytes)
    return bytes
  }

  private func row(_ school: WireRankedSchool) -> [UInt8] {
    let name = rankingSchool(school.schoolID, name: school.name, region: school.region)
    return rankingRow(rank: school.rank, name, count: school.count)
  }
}

extension SplitMix64 {
  fileprivate mutating func school(rank: UInt32) -> WireRankedSchool {
    var school = WireRankedSchool()
    school.rank = rank
    school.schoolID = "B\(UInt32.random(in: 1...99_999, using: &self))"
    school.name = chance(90) ? "금성 \"\(rank)\" 초등학교" : ""
    school.region = chance(90) ? "서울특별시" : ""
    school.count = chance(90) ? .random(in: 0...(1 << 52), using: &self) : 0
    return school
  }
}
