// The results of the bots of a `stories`, added up, and the lines of the report.
//
// A value: each shard of bots fills its own, the command adds them up.
import Histogram

struct StoryResults: Sendable {
  var opened = 0
  /// Connections that were lost, or never made.
  var losses = 0
  var replacements = 0
  var doubles = 0
  /// Answered acts by kind, and their times to the answer; microseconds.
  private(set) var answers: [StoryAct.Kind: Histogram<UInt32>] = [:]
  private(set) var errors: [String: Int] = [:]
  var uploads = 0
  private(set) var uploadTimes = Results.emptyHistogram
  /// Differences that bots saw by themselves.
  private(set) var complaints: [String] = []
  var complaintCount = 0

  // Viewers.
  var news = 0
  var newsBytes = 0
  /// The most news that a viewer got within any second.
  var newsInSecondMost = 0
  /// The time from the sending of a comment to its news at a viewer; microseconds.
  private(set) var newsTimes = Results.emptyHistogram

  private static let complaintsMax = 20

  mutating func note(_ kind: StoryAct.Kind, microseconds: Int64) {
    _ = answers[kind, default: Results.emptyHistogram].record(UInt64(clamping: max(1, microseconds)))
  }

  mutating func note(error: String) { errors[error, default: 0] += 1 }

  mutating func noteUpload(microseconds: Int64) {
    uploads += 1
    _ = uploadTimes.record(UInt64(clamping: max(1, microseconds)))
  }

  mutating func noteNews(microseconds: Int64) { _ = newsTimes.record(UInt64(clamping: max(1, microseconds))) }

  mutating func complain(_ text: String) {
    complaintCount += 1
    if complaints.count < Self.complaintsMax { complaints.append(text) }
  }

  func p99MS(of kind: StoryAct.Kind) -> Double? { answers[kind]?.ms(99) }

  var actCount: Int { answers.values.reduce(0) { $0 + Int($1.totalCount) } }
  var errorCount: Int { errors.values.reduce(0, +) }

  /// Forgets the news so far.
  mutating func forgetNews() {
    (news, newsBytes, newsInSecondMost) = (0, 0, 0)
    newsTimes = Results.emptyHistogram
  }

  mutating func add(_ other: StoryResults) {
    opened += other.opened
    losses += other.losses
    replacements += other.replacements
    doubles += other.doubles
    for (kind, times) in other.answers { answers[kind, default: Results.emptyHistogram].add(times) }
    errors.merge(other.errors, uniquingKeysWith: +)
    uploads += other.uploads
    uploadTimes.add(other.uploadTimes)
    complaints = Array((complaints + other.complaints).prefix(Self.complaintsMax))
    complaintCount += other.complaintCount
    news += other.news
    newsBytes += other.newsBytes
    newsInSecondMost = max(newsInSecondMost, other.newsInSecondMost)
    newsTimes.add(other.newsTimes)
  }

  /// The lines of the report; `seconds` is the duration of acting.
  func lines(_ plan: StoriesPlan, seconds: Double) -> [String] {
    func line(_ name: String, _ text: String) -> String { name.padded(to: 20) + text }
    let list = errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    var lines = [
      line("connected", "\(opened) times, \(losses) lost, \(replacements) replaced by a second connection"),
      line("acts answered", "\(actCount), \(Int(Double(actCount) / seconds)) a second; \(doubles) were sent twice"),
    ]
    for kind in StoryAct.Kind.allCases {
      guard let times = answers[kind] else { continue }
      lines.append(line("  \(kind.rawValue)", "\(times.totalCount), \(times.percentiles)"))
    }
    if uploads > 0 { lines.append(line("pictures uploaded", "\(uploads), \(uploadTimes.percentiles)")) }
    if let viewing = plan.viewing {
      let each = Double(news) / Double(viewing.viewers) / seconds
      lines += [
        line("news", "\(news), \(newsBytes / max(1, news)) bytes each, \(newsBytes / viewing.viewers) bytes a viewer"),
        line("  to each viewer", "\((each * 100).rounded() / 100) a second, at most \(newsInSecondMost) in any second"),
        line("  behind a comment", newsTimes.percentiles),
      ]
    }
    lines.append(line("errors", list.isEmpty ? "none" : list))
    return lines + complaints.map { line("differs", $0) }
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String { self + String(repeating: " ", count: max(1, count - self.count)) }
}
