// All timers of a shard: a hashed wheel that the clock turns, not the number of wake-ups.
//
// Owned by one shard and used on its queue. Setting and cancelling cost the same for any number of timers. They
// allocate nothing unless more are under way than ever before. A timer fires at its slot's end or later, never earlier.

/// The identity of one timer; harmless after it has fired or was cancelled.
package struct TimerID: Hashable, Sendable {
  fileprivate let index: Int32
  fileprivate let generation: UInt32
}

package struct TimerWheel {
  /// The length of a slot. Timers of one slot share a wake-up, so this is also the largest delay of a tick by design.
  package static let resolutionMicroseconds: Int64 = 4_000
  /// 8,192 slots of 4 ms: 32 s, so that the longest common timer (a ping's 25 s) is looked at once.
  private static let slotCount = 8_192

  private struct Entry {
    var token: UInt64
    /// The slot number since the epoch in which it fires.
    var due: Int64
    var next: Int32
    var previous: Int32
    var generation: UInt32
  }

  private static let none: Int32 = -1

  private var entries: [Entry] = []
  private var freeEntries: [Int32] = []
  private var heads: [Int32]
  /// One bit for each slot, set while the slot has timers.
  private var occupied: [UInt64]
  /// The last slot up to which every slot has been emptied of due timers.
  private var cursor: Int64
  /// The slot of the newest `popDue`. Timers set while its timers fire come later, so firing always ends.
  private var horizon: Int64

  package init(now: Timestamp) {
    heads = Array(repeating: Self.none, count: Self.slotCount)
    occupied = Array(repeating: 0, count: Self.slotCount / 64)
    cursor = now.microseconds / Self.resolutionMicroseconds
    horizon = cursor
  }

  /// Sets a timer; `popDue` returns `token` once `time` is over.
  package mutating func schedule(_ token: UInt64, at time: Timestamp) -> TimerID {
    // Rounded up, so never early; the division before the addition can't overflow.
    let slot = time.microseconds / Self.resolutionMicroseconds + 1
    let due = max(slot, horizon + 1)
    let index: Int32
    if let free = freeEntries.popLast() {
      index = free
    } else {
      index = Int32(entries.count)
      entries.append(Entry(token: 0, due: 0, next: Self.none, previous: Self.none, generation: 0))
    }
    entries[Int(index)].token = token
    entries[Int(index)].due = due
    link(index)
    return TimerID(index: index, generation: entries[Int(index)].generation)
  }

  package mutating func cancel(_ id: TimerID) {
    guard entries[Int(id.index)].generation == id.generation else { return }
    unlink(id.index)
    release(id.index)
  }

  /// Takes out one timer that is due at `now`; nil when there is none left.
  package mutating func popDue(at now: Timestamp) -> UInt64? {
    let last = now.microseconds / Self.resolutionMicroseconds
    horizon = max(horizon, last)
    while cursor < last {
      // A wheel that stood still for a whole turn has each slot to look at once, not more often.
      if last - cursor > Int64(Self.slotCount) { cursor = last - Int64(Self.slotCount) }
      let slot = Int((cursor + 1) & Int64(Self.slotCount - 1))
      var index = heads[slot]
      while index != Self.none {
        if entries[Int(index)].due <= last {
          let token = entries[Int(index)].token
          unlink(index)
          release(index)
          return token
        }
        index = entries[Int(index)].next
      }
      cursor += 1
    }
    return nil
  }

  /// The time of the wheel's next turn: no timer is due before. Nil when there is none.
  package var nextTurn: Timestamp? {
    let start = Int((cursor + 1) & Int64(Self.slotCount - 1))
    let words = occupied.count
    var word = occupied[start / 64] & (UInt64.max << UInt64(start % 64))
    for step in 0...words {
      let index = (start / 64 + step) % words
      if step > 0 { word = occupied[index] }
      if word != 0 {
        let slot = index * 64 + word.trailingZeroBitCount
        let distance = (slot - start + Self.slotCount) % Self.slotCount
        return Timestamp(microseconds: (cursor + 1 + Int64(distance)) * Self.resolutionMicroseconds)
      }
    }
    return nil
  }

  private mutating func link(_ index: Int32) {
    let slot = Int(entries[Int(index)].due & Int64(Self.slotCount - 1))
    let head = heads[slot]
    entries[Int(index)].next = head
    entries[Int(index)].previous = Self.none
    if head != Self.none { entries[Int(head)].previous = index }
    heads[slot] = index
    occupied[slot / 64] |= 1 << UInt64(slot % 64)
  }

  private mutating func unlink(_ index: Int32) {
    let entry = entries[Int(index)]
    if entry.next != Self.none { entries[Int(entry.next)].previous = entry.previous }
    if entry.previous != Self.none {
      entries[Int(entry.previous)].next = entry.next
      return
    }
    let slot = Int(entry.due & Int64(Self.slotCount - 1))
    heads[slot] = entry.next
    if entry.next == Self.none { occupied[slot / 64] &= ~(1 << UInt64(slot % 64)) }
  }

  private mutating func release(_ index: Int32) {
    entries[Int(index)].generation &+= 1
    freeEntries.append(index)
  }
}
