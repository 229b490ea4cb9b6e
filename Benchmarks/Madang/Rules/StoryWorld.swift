// Invented posts, comments and likes for the benchmark of stories. The world is a value.
import Game
import SeededRandom
import Store

/// Posts as a community writes them: few are liked much, few words are in most texts.
struct StoryWorld: Sendable {
  /// The posts are written evenly over a year before.
  static let now = Instant(milliseconds: 1_790_000_000_000)
  private static let spanMs: Int64 = 365 * 86_400_000
  private static let common = [
    "여행", "바다", "오늘", "사진", "정말", "맛집", "카페", "하늘", "좋았다", "있다", "했다", "그리고", "다시", "함께", "도시", "걷다",
    "비행기", "아침", "저녁", "호텔", "시장", "골목", "풍경", "사람들이", "이곳은", "가고", "싶다", "합니다", "입니다", "Tokyo",
  ]
  private static let codes = [
    "KR", "JP", "TW", "TH", "VN", "PH", "US", "FR", "IT", "ES", "GB", "DE", "NL", "MX", "AU", "NZ", "CA", "TR", "EG",
    "BR",
    "PE", "KE", "MA", "PT", "GR", "CH", "AT", "CZ", "HU", "IS",
  ]

  let players: Int
  /// The posts that the first changes have written.
  let posts: Int
  private var random: SplitMix64
  private let rare: [String]

  init(players: Int, posts: Int, seed: UInt64) {
    self.players = players
    self.posts = posts
    var random = SplitMix64(seed: seed)
    // Hangul has 11,172 syllables; texts have a fifth of them.
    func syllable() -> Character {
      guard let scalar = Unicode.Scalar(UInt32(0xAC00 + 5 * random.draw(0...2_233))) else { return "가" }
      return Character(scalar)
    }
    rare = (0..<20_000).map { _ in String((0..<random.draw(2...4)).map { _ in syllable() }) }
    self.random = random
  }

  mutating func draw(_ range: ClosedRange<Int>) -> Int { random.draw(range) }

  mutating func player() -> PlayerID { PlayerID(UInt128(random.draw(1...players))) }

  /// One of the posts; a hundredth of them is drawn ten times as often as all.
  mutating func drawPost(of count: Int) -> Int {
    let share = Double(random.next() >> 11) / Double(UInt64(1) << 53)
    // Any order will do, but hot posts must not be neighbours.
    return Int(share * share * Double(count)) * 7_919 % count + 1
  }

  mutating func rareWord() -> String { random.pick(rare) }
  mutating func commonWord() -> String { random.pick(Self.common) }
  mutating func country() -> CountryCode { CountryCode(code()) ?? country() }

  private mutating func code() -> String {
    // Half of all are of the first three.
    let draws = (0..<3).map { _ in random.draw(0...Self.codes.count - 1) }
    return Self.codes[draws.min() ?? 0]
  }

  /// A tag of which some hundred posts have one, and one that many have.
  mutating func hashtag() -> Hashtag { Hashtag(random.chance(50) ? "tag\(random.draw(0...999))" : "여행") ?? hashtag() }

  /// Identifiers as they are drawn: in no order.
  private static func id(_ number: Int) -> UInt128 {
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(number)))
    return UInt128(random.next()) << 64 | UInt128(random.next())
  }

  static func post(_ number: Int) -> PostID { PostID(id(number)) }

  /// A fifth of all authors writes most.
  func author(_ number: Int) -> PlayerID {
    PlayerID(UInt128(1 + number * 31 % (number % 5 == 0 ? players : max(1, players / 20))))
  }

  func hello(_ index: Int) -> SessionChange {
    let number = UInt32(index + 1)
    let digest = (0..<32).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * ($0 % 4))) }
    let session = NewSession(digest: digest, connection: UInt64(number), expiresAt: Self.now + .seconds(2_592_000))
    return .hello(
      HelloChange(
        device: digest,
        newPlayer: PlayerID(UInt128(number)),
        nickname: "player \(number)",
        session: session,
        at: Self.now
      )
    )
  }

  mutating func text(words count: Int) -> String {
    (0..<count).map { _ in random.chance(60) ? commonWord() : rareWord() }.joined(separator: " ")
  }

  /// Texts have 10 to 600 characters, 120 on average.
  mutating func write(_ number: Int) -> StoryChange {
    let share = Int64(Double(min(number, posts)) / Double(posts) * Double(Self.spanMs))
    let tags = random.chance(50) ? " #여행 #tag\(random.draw(0...999))" : ""
    let words = random.chance(10) ? random.draw(40...200) : random.draw(3...40)
    let codes = Set((0..<random.draw(1...2)).map { _ in code() }).sorted()
    return .write(
      Post(
        id: Self.post(number),
        author: author(number),
        title: text(words: 2),
        text: text(words: words) + tags,
        countries: codes.compactMap { CountryCode($0) },
        writtenAt: Self.now - .milliseconds(Self.spanMs - share)
      )
    )
  }

  mutating func comment(_ number: Int) -> StoryChange {
    .comment(
      PostComment(
        id: CommentID(Self.id(number)),
        post: Self.post(drawPost(of: posts)),
        author: player(),
        text: text(words: random.draw(1...12)),
        writtenAt: Self.now
      )
    )
  }

  mutating func like() -> StoryChange { .like(Self.post(drawPost(of: posts)), player(), at: Self.now) }

  mutating func view() -> StoryChange { .view(Self.post(drawPost(of: posts)), player(), at: Self.now) }

  /// Of a hundred changes 50 are views, 30 likes, 15 comments, 3 posts, and 2 edits.
  mutating func change(new: Int) -> StoryChange {
    switch random.draw(1...100) {
    case 1...50: return view()
    case 51...80: return like()
    case 81...95: return comment(-new)
    case 96...98: return write(new)
    default:
      let number = drawPost(of: posts)
      let words = text(words: random.draw(3...40))
      return .edit(PostEdit(id: Self.post(number), author: author(number), text: words, at: Self.now))
    }
  }
}
