// All timers of a shard: a hashed wheel that the clock turns, not the number of wake-ups.
//
// Owned by one shard and used on its queue. Setting and cancelling cost the same for any number of timers. They
// allocate nothing unless more are under way than ever before. A timer fires at its slot's end or later, never earlier.
// The memory is the wheel's own: an array in a class would be checked for exclusive access and for copies, each time.
// Decisions: 114 (docs/decisions).

/// The identity of one timer; harmless after it has fired or was cancelled.
package struct TimerID: Hashable, Sendable {
  fileprivate let index: Int32
  fileprivate let generation: UInt32
}

package final class TimerWheel {
  /// The length of a slot. Timers of one slot share a wake-up, so this is also the largest delay of a tick by design.
  package static let resolutionMicroseconds: Int64 = 4_000
  /// 8,192 slots of 4 ms: 32 s, so that the longest common timer (a ping's 25 s) is looked at once.
  private static let slotCount = 8_192
  private static let wordCount = slotCount / 64

  private struct Entry {
    var token: UInt64 = 0
    /// The slot number since the epoch in which it fires.
    var due: Int64 = 0
    /// The next timer of the slot, or the next free entry.
    var next = TimerWheel.none
    var previous = TimerWheel.none
    var generation: UInt32 = 0
  }

  private static let none: Int32 = -1

  private var entries: UnsafeMutableBufferPointer<Entry>
  private var firstFree = TimerWheel.none
  private let heads: UnsafeMutableBufferPointer<Int32>
  /// One bit for each slot, set while the slot has timers.
  private let occupied: UnsafeMutableBufferPointer<UInt64>
  /// The last slot up to which every slot has been emptied of due timers.
  private var cursor: Int64
  /// The slot of the newest `popDue`. Timers set while its timers fire come later, so firing always ends.
  private var horizon: Int64

  package init(now: Timestamp) {
    entries = .allocate(capacity: 0)
    heads = .allocate(capacity: Self.slotCount)
    heads.initialize(repeating: Self.none)
    occupied = .allocate(capacity: Self.wordCount)
    occupied.initialize(repeating: 0)
    cursor = now.microseconds / Self.resolutionMicroseconds
    horizon = cursor
  }

  deinit {
    entries.deallocate()
    heads.deallocate()
    occupied.deallocate()
  }

  /// Sets a timer; `popDue` returns `token` once `time` is over.
  package func schedule(_ token: UInt64, at time: Timestamp) -> TimerID {
    // Rounded up, so never early; the division before the addition can't overflow.
    let slot = time.microseconds / Self.resolutionMicroseconds + 1
    if firstFree == Self.none { addEntries() }
    let index = firstFree
    firstFree = entries[Int(index)].next
    entries[Int(index)].token = token
    entries[Int(index)].due = max(slot, horizon + 1)
    link(index)
    return TimerID(index: index, generation: entries[Int(index)].generation)
  }

  package func cancel(_ id: TimerID) {
    precondition(id.index < entries.count, "a timer is of the wheel that cancels it")
    guard entries[Int(id.index)].generation == id.generation else { return }
    unlink(id.index)
    release(id.index)
  }

  /// Takes out one timer that is due at `now`; nil when there is none left.
  package func popDue(at now: Timestamp) -> UInt64? {
    let last = now.microseconds / Self.resolutionMicroseconds
    horizon = max(horizon, last)
    while cursor < last {
      // A wheel that stood still for a whole turn has each slot to look at once, not more often.
      if last - cursor > Int64(Self.slotCount) { cursor = last - Int64(Self.slotCount) }
      var index = heads[Self.slot(cursor + 1)]
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

  /// The token of a timer that is due soon, very likely the one that `popDue` takes next.
  package var nextToken: UInt64? {
    let index = heads[Self.slot(cursor + 1)]
    return index == Self.none ? nil : entries[Int(index)].token
  }

  /// The time of the wheel's next turn: no timer is due before. Nil when there is none.
  package var nextTurn: Timestamp? {
    let start = Self.slot(cursor + 1)
    var word = occupied[start / 64] & (UInt64.max << UInt64(start % 64))
    for step in 0...Self.wordCount {
      let index = (start / 64 + step) % Self.wordCount
      if step > 0 { word = occupied[index] }
      if word != 0 {
        let slot = index * 64 + word.trailingZeroBitCount
        let distance = (slot - start + Self.slotCount) % Self.slotCount
        return Timestamp(microseconds: (cursor + 1 + Int64(distance)) * Self.resolutionMicroseconds)
      }
    }
    return nil
  }

  private static func slot(_ number: Int64) -> Int { Int(number & Int64(slotCount - 1)) }

  private func link(_ index: Int32) {
    let slot = Self.slot(entries[Int(index)].due)
    let head = heads[slot]
    entries[Int(index)].next = head
    entries[Int(index)].previous = Self.none
    if head != Self.none { entries[Int(head)].previous = index }
    heads[slot] = index
    occupied[slot / 64] |= 1 << UInt64(slot % 64)
  }

  private func unlink(_ index: Int32) {
    let entry = entries[Int(index)]
    if entry.next != Self.none { entries[Int(entry.next)].previous = entry.previous }
    if entry.previous != Self.none {
      entries[Int(entry.previous)].next = entry.next
      return
    }
    let slot = Self.slot(entry.due)
    heads[slot] = entry.next
    if entry.next == Self.none { occupied[slot / 64] &= ~(1 << UInt64(slot % 64)) }
  }

  private func release(_ index: Int32) {
    entries[Int(index)].generation &+= 1
    entries[Int(index)].next = firstFree
    firstFree = index
  }

  /// Doubles the entries.
  private func addEntries() {
    let more = UnsafeMutableBufferPointer<Entry>.allocate(capacity: max(64, entries.count * 2))
    more.initialize(repeating: Entry())
    for index in entries.indices { more[index] = entries[index] }
    for index in entries.count..<more.count - 1 { more[index].next = Int32(index + 1) }
    firstFree = Int32(entries.count)
    entries.deallocate()
    entries = more
  }
}
