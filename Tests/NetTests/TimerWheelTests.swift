// The timer wheel by itself: firing, cancelling, and the time of its next turn.
import Net
import Testing

@Suite struct TimerWheelTests {
  private static let start = Timestamp(milliseconds: 1_790_000_000_000)
  private static let slot = TimerWheel.resolutionMicroseconds
  /// One turn of the wheel, and a little more.
  private static let turnSeconds: Int64 = 33

  private func drain(_ wheel: TimerWheel, at now: Timestamp) -> [UInt64] {
    var tokens: [UInt64] = []
    while let token = wheel.popDue(at: now) { tokens.append(token) }
    return tokens
  }

  private func after(microseconds: Int64) -> Timestamp {
    Timestamp(microseconds: Self.start.microseconds + microseconds)
  }

  @Test(
    "A timer fires within one slot after its time, never before it",
    arguments: [1, 3_999, 4_000, 4_001, 7_999, 8_000, 25_000_000, 32_767_999, 32_768_000, 40_000_000, 7_200_000_001]
  )
  func onTime(delay: Int64) {
    let wheel = TimerWheel(now: Self.start)
    _ = wheel.schedule(7, at: after(microseconds: delay))
    #expect(drain(wheel, at: after(microseconds: delay - 1)) == [])
    #expect(drain(wheel, at: after(microseconds: delay + Self.slot)) == [7])
    #expect(drain(wheel, at: after(microseconds: delay + 100 * Self.slot)) == [])
    #expect(wheel.nextTurn == nil)
  }

  @Test("A timer that is due at once or overdue fires with the next slot")
  func past() {
    let wheel = TimerWheel(now: Self.start)
    _ = wheel.schedule(1, at: Self.start)
    _ = wheel.schedule(2, at: Timestamp(microseconds: 0))
    #expect(drain(wheel, at: Self.start) == [])
    #expect(drain(wheel, at: after(microseconds: Self.slot)).sorted() == [1, 2])
  }

  @Test("Timers of earlier slots fire first")
  func order() {
    let wheel = TimerWheel(now: Self.start)
    for token in [5, 1, 4, 2, 3] as [UInt64] {
      _ = wheel.schedule(token, at: after(microseconds: Int64(token) * Self.slot))
    }
    #expect(drain(wheel, at: after(microseconds: 10 * Self.slot)) == [1, 2, 3, 4, 5])
  }

  @Test("A cancelled timer never fires, and its neighbours do", arguments: 0..<3)
  func cancel(place: Int) {
    let wheel = TimerWheel(now: Self.start)
    let ids = (0..<3).map { wheel.schedule(UInt64($0), at: after(microseconds: 10)) }
    wheel.cancel(ids[place])
    let rest = (0..<3).filter { $0 != place }.map { UInt64($0) }
    #expect(drain(wheel, at: after(microseconds: Self.slot)).sorted() == rest)
    #expect(wheel.nextTurn == nil)
  }

  @Test("A stale identifier cancels nothing, even if the timer's place is reused")
  func staleIdentifier() {
    let wheel = TimerWheel(now: Self.start)
    let cancelled = wheel.schedule(1, at: after(microseconds: 10))
    wheel.cancel(cancelled)
    let fired = wheel.schedule(2, at: after(microseconds: 10))
    wheel.cancel(cancelled)
    #expect(drain(wheel, at: after(microseconds: Self.slot)) == [2])
    _ = wheel.schedule(3, at: after(microseconds: 2 * Self.slot))
    wheel.cancel(cancelled)
    wheel.cancel(fired)
    wheel.cancel(fired)
    #expect(drain(wheel, at: after(microseconds: 4 * Self.slot)) == [3])
  }

  @Test("Timers of later turns of the wheel wait for their turn")
  func laterTurns() {
    let wheel = TimerWheel(now: Self.start)
    // All in the same slot of the wheel: 8,192 slots apart.
    let turn = 8_192 * Self.slot
    for number in 0..<4 as Range<Int64> {
      _ = wheel.schedule(UInt64(number), at: after(microseconds: 100 + number * turn))
    }
    for number in 0..<4 as Range<Int64> {
      #expect(drain(wheel, at: after(microseconds: number * turn)) == [])
      #expect(drain(wheel, at: after(microseconds: number * turn + Self.slot)) == [UInt64(number)])
    }
  }

  @Test("A wheel that stopped for many turns fires every timer that became due, once")
  func standstill() {
    let wheel = TimerWheel(now: Self.start)
    for second in 0..<200 as Range<Int64> {
      _ = wheel.schedule(UInt64(second), at: Self.start.advanced(seconds: second))
    }
    let late = Self.start.advanced(seconds: 3 * Self.turnSeconds)
    #expect(drain(wheel, at: late).sorted() == Array(0..<UInt64(3 * Self.turnSeconds)))
    #expect(drain(wheel, at: Self.start.advanced(seconds: 201)).sorted() == Array(UInt64(3 * Self.turnSeconds)..<200))
  }

  @Test("A timer set while timers fire comes later, so firing ends", arguments: [0, 1, 40] as [Int64])
  func settingWhileFiring(pauseSeconds: Int64) {
    let wheel = TimerWheel(now: Self.start)
    _ = wheel.schedule(0, at: Self.start)
    var now = Self.start.advanced(seconds: pauseSeconds, milliseconds: 4)
    for round in 0..<10 as Range<UInt64> {
      #expect(wheel.popDue(at: now) == round)
      _ = wheel.schedule(round + 1, at: now)
      #expect(wheel.popDue(at: now) == nil)
      now = now.advanced(milliseconds: 4)
    }
  }

  @Test("A timer in the far future neither fires nor stops the wheel")
  func distantFuture() {
    let wheel = TimerWheel(now: Self.start)
    let id = wheel.schedule(1, at: .distantFuture)
    #expect(drain(wheel, at: Self.start.advanced(seconds: 1_000_000)) == [])
    #expect(wheel.nextTurn != nil)
    wheel.cancel(id)
    #expect(wheel.nextTurn == nil)
  }

  @Test("The next turn of a single timer is the moment when it fires, if that is within one turn of the wheel")
  func nextTurn() throws {
    for delay in [0, 1, 4_000, 100_000, 32_000_000] as [Int64] {
      let wheel = TimerWheel(now: Self.start)
      _ = wheel.schedule(9, at: after(microseconds: delay))
      let next = try #require(wheel.nextTurn)
      #expect(drain(wheel, at: Timestamp(microseconds: next.microseconds - 1)) == [])
      #expect(drain(wheel, at: next) == [9])
    }
  }

  @Test("The timer that is named as the next one of a slot fires next")
  func next() {
    let wheel = TimerWheel(now: Self.start)
    #expect(wheel.nextToken == nil)
    for token in 0..<5 as Range<UInt64> { _ = wheel.schedule(token, at: after(microseconds: 10)) }
    var fired: [UInt64] = []
    var named: [UInt64?] = []
    while let token = wheel.popDue(at: after(microseconds: Self.slot)) {
      fired.append(token)
      named.append(wheel.nextToken)
    }
    #expect(fired.sorted() == [0, 1, 2, 3, 4])
    #expect(named == fired.dropFirst().map(Optional.some) + [nil])
  }
}
