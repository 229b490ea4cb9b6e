// A player who watches the ranking. Most watch for a school of their own, one in twenty without. Some ask for more rows
// or fewer, and some stop and begin again.
//
// Owned by one shard.
import MadangProtocol
import Net

final class RankingWatcher: LinePlayer {
  let line: PlayerLine
  private let school: String?
  private let top: UInt32?
  private let isFickle: Bool
  /// Whether it checks the content of rankings, not only their arrival.
  private let isLooking: Bool
  private var isWatching = false
  /// The ids of the unanswered requests.
  private var choice: UInt32?
  private var watch: UInt32?
  private var unwatch: UInt32?
  /// The last ranking published to this watcher since it began to watch.
  private var last: RankingReader.Reading?
  private var published = 0
  private var beganAt: Timestamp?
  private var lastAt: Timestamp?

  private static let fickleMilliseconds: Int64 = 1_700

  init(_ line: PlayerLine) {
    let number = line.index - line.context.plan.tappers
    self.line = line
    school = number % 20 == 7 ? nil : line.context.plan.school(ofPlayer: line.index)
    top = number % 10 == 3 ? [1, 3, 100][number / 10 % 3] : line.context.plan.top
    isFickle = number % 20 == 19
    isLooking = number % line.context.plan.lookEvery == 0
    line.player = self
  }

  private var context: TapsContext { line.context }

  var isDone: Bool { line.isWelcome && (isWatching || isFickle) }

  /// The progress, for reports of unfinished work.
  var state: String { "watcher \(line.state)" }

  private var audience: RankingReader.Audience {
    RankingReader.Audience(school: school, top: Int(top ?? UInt32(Limits.schoolRankingTopDefault)))
  }

  private func expect(_ expectation: Expectation, _ isMet: Bool, _ example: @autoclosure () -> String) {
    context.results.expectations.note(expectation, isMet, "watcher \(line.index + 1): \(example())")
  }

  func welcomed(_ welcome: WireWelcome) {
    guard let school, welcome.player.schoolID != school else { return beginToWatch() }
    var choose = WireChooseSchool()
    choose.schoolID = school
    choice = line.request(.chooseSchool(choose))
  }

  func lost() {
    isWatching = false
    (choice, watch, unwatch) = (nil, nil, nil)
  }

  private func beginToWatch() {
    var request = WireWatchRanking()
    if let top { request.top = top }
    judgePace()
    beganAt = context.core.readClock()
    watch = line.request(.watchRanking(request))
  }

  func takes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isLooking else {
      guard let timeMs = context.reader.timeMs(of: bytes) else { return false }
      published(timeMs, bytes.count, at: context.core.readClock())
      return true
    }
    guard let reading = context.reader.read(bytes, for: audience) else { return false }
    published(reading, bytes: bytes.count)
    return true
  }

  private func published(_ timeMs: Int64, _ bytes: Int, at now: Timestamp) {
    context.results.rankings += 1
    context.results.rankingBytes += bytes
    if let late = context.times.afterDue(timeMs, at: now) { context.results.note(rankingAfterDue: late) }
    published += 1
    lastAt = now
  }

  private func published(_ reading: RankingReader.Reading, bytes: Int) {
    let now = context.core.readClock()
    published(reading.timeMs, bytes, at: now)
    expect(.rankingFits, reading.complaints.isEmpty, reading.complaints.joined(separator: "; "))
    expect(
      .rankingChanged,
      isWatching && last?.ranking != reading.ranking,
      isWatching ? "the same again" : "without being asked for"
    )
    if let last { follow(last, by: reading, at: now) }
    last = reading
  }

  private func follow(_ last: RankingReader.Reading, by reading: RankingReader.Reading, at now: Timestamp) {
    let (old, new) = (last.ranking, reading.ranking)
    let isSameSeason = new.season == old.season
    let isGrowing = isSameSeason ? new.mine.count >= old.mine.count : new.season > old.season
    expect(.rankingGrows, isGrowing, "\(new.mine.count) in season \(new.season) after \(old.mine.count)")
    // With the same top this ranking is about neighbours, and belongs to another tick.
    guard isSameSeason, reading.head != last.head else { return }
    let late = context.times.lateness(
      of: reading.head,
      school: school,
      before: old.mine.count,
      count: new.mine.count,
      at: now
    )
    if let late { context.results.note(late) }
  }

  func received(_ message: WireServerMessage) {
    guard message.hasReplyTo else { return }
    if case .error(let error) = message.body { return context.results.note(error: error.code.name) }
    switch message.replyTo {
    case choice:
      choice = nil
      beginToWatch()
    case watch:
      watch = nil
      begun(message.ranking)
    case unwatch:
      unwatch = nil
      isWatching = false
      setTimer()
    default: break
    }
  }

  private func begun(_ ranking: WireRanking) {
    let complaints = RankingCheck.complaints(about: ranking, top: audience.top, school: audience.school)
    expect(.rankingFits, complaints.isEmpty, complaints.joined(separator: "; "))
    isWatching = true
    if isFickle { setTimer() }
  }

  private func setTimer() {
    let time = context.core.readClock().advanced(milliseconds: Self.fickleMilliseconds)
    _ = context.setTimer(player: line.index, at: time)
  }

  /// Fickle watchers stop, and begin again after the same time. After a loss all begin again by themselves.
  func timerFired() {
    guard line.isWelcome, choice == nil, watch == nil, unwatch == nil else { return }
    if isWatching {
      unwatch = line.request(.unwatchRanking(WireUnwatchRanking()))
    } else {
      beginToWatch()
    }
  }

  /// Checks that rankings were published at most twice a second since the watcher began.
  func conclude() {
    judgePace()
  }

  private func judgePace() {
    if let beganAt, let lastAt {
      let intervals = lastAt.microseconds(since: beganAt) / (Limits.rankingIntervalMs * 1_000)
      expect(.rankingPace, published <= intervals + 1, "\(published) rankings in \(intervals) half seconds")
    }
    (published, beganAt, lastAt, last) = (0, nil, nil, nil)
  }
}
