// The table of cheats: how many became suspect, when, and what they gained over an honest run.
//
// Values.
import MadangProtocol

package struct CheatTable: Sendable {
  package struct Row: Sendable {
    package var kind: CheatKind
    package var games = 0
    package var suspects = 0
    /// The seconds from the lie to the suspicion, of the suspects.
    package var suspectAfterSeconds: [Double] = []
    package var pointsMax: UInt32 = 0
    package var distanceMaxM: UInt32 = 0
    /// The shortest ranked run.
    package var runLeastMs: UInt32?
    package var rankedRuns = 0

    package init(_ kind: CheatKind) {
      self.kind = kind
    }
  }

  /// A cheat must be suspect within this time.
  package static let suspectWithinSeconds = 60.0
  /// This share of the cheats that break a rule must be; per cent.
  package static let suspectPercentLeast = 99.0
  /// The tolerance of a speed's bound, once, and the rounding of metres.
  package static let forgivenM: UInt32 = 25

  package private(set) var rows: [Row]

  package init(_ rows: [Row]) {
    self.rows = rows
  }

  /// Adds up the games of each kind. Room i has the kind i modulo their number.
  init(_ phones: [PhoneOutcome], _ kinds: [CheatKind]) {
    rows = kinds.map(Row.init)
    for phone in phones { rows[phone.room % kinds.count].add(phone) }
  }

  /// The complaints, one a line; empty when no cheat gains.
  package var complaints: [String] {
    rows.flatMap { row -> [String] in
      guard row.kind.fate != .reference, let honest = reference(of: row.kind) else { return [] }
      var complaints: [String] = []
      if row.kind.fate == .suspect, row.inTimePercent < Self.suspectPercentLeast {
        complaints.append("\(row.kind.rawValue): \(row.inTimePercent) % are suspect within 60 s, at least 99 expected")
      }
      guard row.kind.fate != .unavoidable else { return complaints }
      if row.pointsMax > honest.pointsMax {
        complaints.append("\(row.kind.rawValue): \(row.pointsMax) points, an honest run \(honest.pointsMax)")
      }
      if row.distanceMaxM > honest.distanceMaxM + Self.forgivenM {
        complaints.append("\(row.kind.rawValue): \(row.distanceMaxM) m, an honest run \(honest.distanceMaxM)")
      }
      if let runMs = row.runLeastMs, runMs < honest.runLeastMs ?? .max {
        complaints.append("\(row.kind.rawValue): a ranked run of \(runMs) ms, an honest one \(honest.runLeastMs ?? 0)")
      }
      return complaints
    } + rows.filter { $0.kind.fate == .reference && $0.suspects > 0 }.map { "\($0.suspects) honest are suspect" }
  }

  private func reference(of kind: CheatKind) -> Row? { rows.first { $0.kind == kind.reference } }

  package var lines: [String] {
    let head = Self.line("kind", "games", "suspect %", "after s (p50, max)", "points", "metres", "ranked run s", "gain")
    return [head]
      + rows.map { row in
        let seconds = row.suspectAfterSeconds.sorted()
        let after =
          seconds.isEmpty
          ? "-" : "\(Self.tenths(seconds[seconds.count / 2])), \(Self.tenths(seconds[seconds.count - 1]))"
        let run = row.runLeastMs.map { Self.tenths(Double($0) / 1_000) } ?? "-"
        return Self.line(
          row.kind.rawValue,
          "\(row.games)",
          Self.tenths(row.inTimePercent),
          after,
          "\(row.pointsMax)",
          "\(row.distanceMaxM)",
          run,
          gain(row)
        )
      } + rows.map { "  \($0.kind.rawValue): \($0.kind.text)" }
  }

  private func gain(_ row: Row) -> String {
    guard row.kind.fate != .reference, let honest = reference(of: row.kind) else { return "" }
    guard !row.kind.isLap else {
      guard let runMs = row.runLeastMs, let honestMs = honest.runLeastMs else { return "not ranked" }
      return "\(Self.tenths((Double(honestMs) - Double(runMs)) / 1_000)) s"
    }
    return "\(Int(row.pointsMax) - Int(honest.pointsMax)) points"
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private static func line(_ cells: String...) -> String {
    cells.enumerated().map { index, cell in
      cell + String(repeating: " ", count: max(1, (index == 3 ? 20 : index == 0 ? 16 : 13) - cell.count))
    }.joined()
  }
}

extension CheatTable.Row {
  /// The share of games in which the cheat was suspect in time, per cent.
  package var inTimePercent: Double {
    let inTime = suspectAfterSeconds.count { $0 <= CheatTable.suspectWithinSeconds }
    return games == 0 ? 0 : Double(inTime) * 100 / Double(games)
  }

  fileprivate mutating func add(_ phone: PhoneOutcome) {
    games += 1
    if phone.suspicions > 0 { suspects += 1 }
    if let ms = phone.suspectAfterMs { suspectAfterSeconds.append(Double(ms) / 1_000) }
    pointsMax = max(pointsMax, phone.points ?? 0)
    distanceMaxM = max(distanceMaxM, phone.distanceM ?? 0)
    guard let runMs = phone.runMs else { return }
    rankedRuns += 1
    runLeastMs = min(runLeastMs ?? .max, runMs)
  }
}
