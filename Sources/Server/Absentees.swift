// Players without connection and room, in the order in which they went.
//
// A value; the directory's lock guards it. Whether someone listed here is still absent is the directory's to know.
import Game
import Net

struct Absentees: Sendable {
  struct Entry: Sendable {
    let player: PlayerID
    /// The connection that was their last when they went.
    let number: UInt64
    let since: Timestamp
  }

  private var entries: [Entry] = []
  private var head = 0

  var count: Int { entries.count - head }
  var first: Entry? { head < entries.count ? entries[head] : nil }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
  }

  mutating func removeFirst() {
    head += 1
    if head >= 1_024, head * 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }
}
