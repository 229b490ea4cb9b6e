// The server's history of a day, a row for each minute: made from looks at the whole server, kept in memory and in the
// store.
//
// A value of the operators' shard. It asks for nothing itself.
// Decisions: 162 (docs/decisions).
import ConsoleProtocol
import Game
import Store

struct MinuteHistory {
  /// Oldest first, without those that the store has from before this start, until they are read.
  private(set) var minutes: [HistoryMinute] = []
  /// Whether those of before this start are among them.
  private(set) var hasStored = false
  /// The look at which the present minute began; nil before the first one.
  private var begin: FeedOverview?
  private var load = 0.0

  /// Takes a look at the whole server, with the greatest load of a shard. Counts of the look are since the start.
  ///
  /// - Returns: the minute that has ended with it; nil while one goes on.
  mutating func take(_ look: FeedOverview, load: Double) -> HistoryMinute? {
    self.load = max(self.load, load)
    guard let begin else {
      self.begin = look
      return nil
    }
    let (first, last) = (Instant(milliseconds: begin.atMs), Instant(milliseconds: look.atMs))
    guard first.milliseconds >= 0, HistoryMinute.number(of: last) > HistoryMinute.number(of: first) else { return nil }
    let minute = HistoryMinute(from: begin, to: look, load: self.load)
    (self.begin, self.load) = (look, 0)
    add(minute)
    return minute
  }

  private mutating func add(_ minute: HistoryMinute) {
    if minutes.count == HistoryMinute.countMax { minutes.removeFirst() }
    minutes.append(minute)
  }

  /// Takes the minutes of before this start.
  mutating func take(stored: [HistoryMinute]) {
    guard !hasStored else { return }
    hasStored = true
    let earlier = minutes.first.map { first in stored.filter { $0.at < first.at } } ?? stored
    minutes = (earlier + minutes).suffix(Int(HistoryMinute.countMax))
  }

  /// The minutes that ended after a moment.
  func minutes(after moment: Instant) -> [HistoryMinute] { minutes.filter { $0.at > moment } }
}

extension HistoryMinute {
  /// The minute between two looks.
  fileprivate init(from begin: FeedOverview, to end: FeedOverview, load: Double) {
    self.init(at: Instant(milliseconds: end.atMs))
    spanMs = end.atMs - begin.atMs
    players = end.connections.players
    connections = end.connections.open
    rooms = end.rooms.open
    games = end.rooms.byKind.filter { $0.phase == Phase.playing.name }.reduce(0) { $0 + $1.rooms }
    received = end.messages.received - begin.messages.received
    sent = end.messages.sent - begin.messages.sent
    bytesReceived = end.messages.bytesReceived - begin.messages.bytesReceived
    bytesSent = end.messages.bytesSent - begin.messages.bytesSent
    frames = end.ticks.frames - begin.ticks.frames
    errors = end.messages.errors - begin.messages.errors
    taps = end.taps.counted - begin.taps.counted
    commits = end.commits.commits - begin.commits.commits
    commitFailures = end.commits.failures - begin.commits.failures
    cpuMs = Int64(((end.process.cpuSeconds - begin.process.cpuSeconds) * 1_000).rounded())
    residentBytes = end.process.residentBytes
    sendQueueBytes = end.messages.sendQueueBytes
    loadPermille = Int64((load * 1_000).rounded())
    latenessUs = end.ticks.lateness.percentile99Us(since: begin.ticks.lateness)
    commitUs = end.commits.duration.percentile99Us(since: begin.commits.duration)
  }

  var message: FeedMinute {
    .with {
      $0.atMs = at.milliseconds
      $0.spanMs = spanMs
      $0.players = players
      $0.connections = connections
      $0.rooms = rooms
      $0.games = games
      $0.received = received
      $0.sent = sent
      $0.bytesReceived = bytesReceived
      $0.bytesSent = bytesSent
      $0.frames = frames
      $0.errors = errors
      $0.taps = taps
      $0.commits = commits
      $0.commitFailures = commitFailures
      $0.cpuSeconds = Double(cpuMs) / 1_000
      $0.residentBytes = residentBytes
      $0.sendQueueBytes = sendQueueBytes
      $0.load = Double(loadPermille) / 1_000
      if let latenessUs { $0.latenessMs = Double(latenessUs) / 1_000 }
      if let commitUs { $0.commitMs = Double(commitUs) / 1_000 }
    }
  }
}

extension FeedOverview.LatencyHistogram {
  /// The 99th percentile of the durations since an earlier look, in microseconds, by the bounds of the counts, as the
  /// page reckons it; nil without a duration. Beyond the last bound it is that.
  fileprivate func percentile99Us(since before: Self) -> Int64? {
    let wanted = 0.99 * Double(count - before.count)
    guard wanted > 0 else { return nil }
    var (lowMs, lowCount) = (0.0, 0.0)
    for bound in upToMilliseconds.keys.sorted() {
      let highMs = Double(bound)
      let highCount = Double(upToMilliseconds[bound, default: 0] - before.upToMilliseconds[bound, default: 0])
      if highCount >= wanted {
        let share = (wanted - lowCount) / max(1, highCount - lowCount)
        return Int64(((lowMs + (highMs - lowMs) * min(1, max(0, share))) * 1_000).rounded())
      }
      (lowMs, lowCount) = (highMs, highCount)
    }
    return Int64(lowMs * 1_000)
  }
}

extension Operations {
  /// Has a minute of the history committed. While nothing can be committed it is left out.
  func keep(_ minute: HistoryMinute) {
    guard !gateway.core.isStopped, gateway.canPromise else { return }
    gateway.journal.add(minute)
  }
}
