// The states that one capsule may have, by its owner's requests and the answers to them. A value of the referee.

struct CapsuleRecord {
  let owner: String
  var id: String?
  var presence = RowPresence.maybe
  var title: History<String>
  var text: History<String>
  var memoryDate: History<String>
  var place: History<GroundPlace>
  var everyone: History<Bool>
  /// The players whom the owner may have named.
  var named: [String: History<Bool>] = [:]

  /// The rooms whose players the owner may have named, by requests that have no answer yet.
  var rooms: Set<String> = []

  /// Players whose opening was acknowledged, the owner apart, and the time of the acknowledgement.
  var opened: [String: Int64] = [:]
  /// The number of requests to open it that were not refused, by player; some may be counted.
  var mayHaveOpened: [String: Int] = [:]

  init(owner: String, title: String, text: String, memoryDate: String, place: GroundPlace, everyone: Bool) {
    self.owner = owner
    self.title = History(title)
    self.text = History(text)
    self.memoryDate = History(memoryDate)
    self.place = History(place)
    self.everyone = History(everyone)
  }

  func mayBeSeen(by player: String, sinceMs time: Int64) -> Bool {
    player == owner || everyone.possible(sinceMs: time).contains(true)
      || named[player]?.possible(sinceMs: time).contains(true) == true
  }

  /// Whether it has surely been there since a time, and the player surely one of those who may open it.
  func mustBeSeen(by player: String, sinceMs time: Int64) -> Bool {
    guard presence.isSure(sinceMs: time) else { return false }
    if player == owner || everyone.possible(sinceMs: time) == [true] { return true }
    return named[player]?.possible(sinceMs: time) == [true]
  }

  /// Names a player, or takes the name away; it has no answer yet.
  mutating func mayName(_ player: String, _ isNamed: Bool) -> Bool {
    named[player, default: History(false)].mayBecome(isNamed)
  }

  /// The number of players who must be counted since a time, and the greatest number that may be.
  func countRange(sinceMs time: Int64) -> ClosedRange<Int> {
    let least = opened.values.count { $0 <= time }
    return least...max(least, Set(mayHaveOpened.keys).union(opened.keys).count)
  }
}
