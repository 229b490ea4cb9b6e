// The ranking put together from parts, held to swift-protobuf's bytes.
import MadangProtocol
import SeededRandom
import Testing

@Suite("Rankings")
struct RankingWriterTests {
  @Test(
    "Every golden ranking that answers nothing is written with its bytes",
    arguments: Vector.all.filter { $0.side == .server && $0.body == "ranking" }
  )
  func vectors(_ vector: Vector) throws {
    for encoding in Subprotocol.allCases {
      let bytes = try vector.bytes(encoding)
      let message = try encoding.decodeServer(bytes)
      guard !message.hasReplyTo else { continue }
      #expect(encoding.written(message.ranking) == bytes)
    }
  }

  @Test("Random rankings are written as swift-protobuf writes them", arguments: Subprotocol.allCases)
  func random(_ encoding: Subprotocol) {
    var random = SplitMix64(seed: 20_261_122)
    for _ in 0..<500 {
      var message = WireServerMessage()
      message.ranking.season = .random(in: 1...(.max), using: &random)
      message.ranking.top = (0..<Int.random(in: 0...20, using: &random)).map { random.school(rank: UInt32($0) + 1) }
      if random.chance(80) {
        message.ranking.mine = random.school(rank: .random(in: 0...20_000, using: &random))
        message.ranking.neighbours = (0..<Int.random(in: 0...2, using: &random)).map { random.school(rank: UInt32($0)) }
      }
      #expect(encoding.written(message.ranking) == encoding.encode(message))
    }
  }
}

extension Subprotocol {
  fileprivate func written(_ ranking: WireRanking) -> [UInt8] {
    // There are more rows than are told.
    let rows = (ranking.top + ranking.top).map(rankingRow)
    let head = rankingHead(season: ranking.season, top: rows[..<ranking.top.count])
    let tail = ranking.hasMine ? rankingTail(mine: ranking.mine, neighbours: ranking.neighbours) : []
    var bytes: [UInt8] = []
    appendRanking(head, tail, to: &bytes)
    return bytes
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
