// The rules of the school contest in their simplest form: every count in one list, and each answer a sum over it. A
// reference for the tally's answers.
import Game

struct NaiveTally {
  struct Counted {
    /// The player; nil if forgotten.
    var player: PlayerID?
    let school: SchoolID
    let season: UInt32
    /// The number of the player's choices until then.
    let choice: Int
    let taps: Int64
    let atMs: Int64
    var isVoided = false
  }

  struct Player {
    var school: SchoolID
    var choice = 0
    var lastBatch: UInt32 = 0
    var lastAnswer: TapDecision?
    var abnormalsMs: [Int64] = []
    var isSuspect = false
  }

  private(set) var counted: [Counted] = []
  private(set) var players: [PlayerID: Player] = [:]
  private(set) var season: UInt32 = 1
  private var closedSchools: Set<SchoolID> = []
  /// The number of the change that gave a total its value, by season.
  private var reached: [UInt32: [SchoolID: Int]] = [:]
  private var changes = 0

  func total(of school: SchoolID, in season: UInt32) -> Int64 {
    counted.filter { $0.school == school && $0.season == season && !$0.isVoided }.reduce(0) { $0 + $1.taps }
  }

  /// The sum of one player's counts.
  func sum(of id: PlayerID, for school: SchoolID, in season: UInt32) -> Int64 {
    counted.filter { $0.player == id && $0.school == school && $0.season == season && !$0.isVoided }
      .reduce(0) { $0 + $1.taps }
  }

  func myCount(_ id: PlayerID) -> Int64 {
    counted.filter { $0.player == id && $0.choice == players[id]?.choice && $0.season == season && !$0.isVoided }
      .reduce(0) { $0 + $1.taps }
  }

  /// Schools that counted, in order; no two of them may have reached their totals by one void.
  func ranking(of season: UInt32) -> [(school: SchoolID, count: Int64, reached: Int)] {
    (reached[season] ?? [:]).map { ($0.key, total(of: $0.key, in: season), $0.value) }.filter { $0.1 > 0 }
      .sorted { ($1.1, $0.2) < ($0.1, $1.2) }
  }

  mutating func tap(_ id: PlayerID, batch: UInt32, count: Int64, atMs: Int64) -> TapDecision {
    guard let player = players[id] else { return .noSchool }
    if let last = player.lastAnswer, batch == player.lastBatch {
      if case .counted(let answer) = last { return .again(answer) }
      return .againAbnormal
    }
    if batch < player.lastBatch { return .past(answer(batch, id)) }
    if closedSchools.contains(player.school) { return .schoolClosed }
    if batch != player.lastBatch + 1 { return .gap(expected: player.lastBatch + 1) }
    if count < 1 { return .outOfRange }
    if count > 229 { return drop(batch, id, atMs: atMs) }
    let waitMs = waitMs(id, count, atMs: atMs)
    if waitMs > 0 { return .tooFast(retryAfterMs: waitMs) }
    counted.append(
      Counted(
        player: id,
        school: player.school,
        season: season,
        choice: player.choice,
        taps: count,
        atMs: atMs
      )
    )
    changes += 1
    reached[season, default: [:]][player.school] = changes
    let decision = TapDecision.counted(answer(batch, id))
    players[id]?.lastBatch = batch
    players[id]?.lastAnswer = decision
    return decision
  }

  mutating func choose(_ school: SchoolID, by id: PlayerID) -> SchoolChoice {
    if closedSchools.contains(school) { return .closed }
    if players[id]?.school == school { return .same }
    players[id, default: Player(school: school)].school = school
    players[id]?.choice += 1
    return .chosen
  }

  mutating func void(_ id: PlayerID, season: UInt32) -> Int64? {
    guard players[id] != nil, season >= 1, season <= self.season else { return nil }
    let taken = counted.indices.filter {
      counted[$0].player == id && counted[$0].season == season && !counted[$0].isVoided
    }
    changes += 1
    for index in taken {
      counted[index].isVoided = true
      reached[season, default: [:]][counted[index].school] = changes
    }
    return taken.reduce(0) { $0 + counted[$1].taps }
  }

  /// Forgets a player; the counts stay, without a player.
  mutating func forget(_ id: PlayerID) -> Bool {
    for index in counted.indices where counted[index].player == id {
      counted[index].player = nil
    }
    return players.removeValue(forKey: id) != nil
  }

  mutating func close() {
    season += 1
  }

  mutating func setClosedSchools(_ schools: Set<SchoolID>) {
    closedSchools = schools
  }

  private func answer(_ batch: UInt32, _ id: PlayerID) -> TapAnswer {
    let schoolCount = players[id].map { total(of: $0.school, in: season) } ?? 0
    return TapAnswer(batch: batch, myCount: myCount(id), schoolCount: schoolCount)
  }

  private mutating func drop(_ batch: UInt32, _ id: PlayerID, atMs: Int64) -> TapDecision {
    let recent = players[id]?.abnormalsMs.filter { $0 > atMs - 60_000 } ?? []
    let becomesSuspect = recent.count >= 2 && players[id]?.isSuspect == false
    players[id]?.abnormalsMs.append(atMs)
    players[id]?.lastBatch = batch
    players[id]?.lastAnswer = .abnormal(becameSuspect: becomesSuspect)
    if becomesSuspect { players[id]?.isSuspect = true }
    return .abnormal(becameSuspect: becomesSuspect)
  }

  /// The shortest sufficient wait for the count, among the times at which anything changes.
  private func waitMs(_ id: PlayerID, _ count: Int64, atMs: Int64) -> Int64 {
    let own = counted.filter { $0.player == id }
    let waits = own.flatMap { [$0.atMs + 5_000 - atMs, $0.atMs + 1_000 - atMs] }.filter { $0 > 0 }
    return ([0] + waits.sorted()).first { wait in
      let sum = own.filter { $0.atMs > atMs + wait - 5_000 }.reduce(0) { $0 + $1.taps }
      let batches = own.count { $0.atMs > atMs + wait - 1_000 }
      return sum + count <= 229 && batches < 5
    } ?? 0
  }
}
