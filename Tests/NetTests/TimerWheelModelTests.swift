// The timer wheel against a plain list of timers: a long random life, drawn from one seed.
import SeededRandom
import Net
import Testing

@Suite struct TimerWheelModelTests {
  private struct Timer {
    let token: UInt64
    let id: TimerID
    let time: Timestamp
    /// Its time, or that of the turn in which it was set if that is later.
    let earliest: Timestamp
  }

  private struct Life {
    var generator: SplitMix64
    var now = Timestamp(milliseconds: 1_790_000_000_000)
    let wheel: TimerWheel
    var timers: [Timer] = []
    var stale: [TimerID] = []
    var nextToken: UInt64 = 0
    var firedCount = 0

    init(seed: UInt64) {
      generator = SplitMix64(seed: seed)
      wheel = TimerWheel(now: now)
    }

    /// Mostly soon, at times beyond a turn of the wheel, at times in the past.
    mutating func drawDelay() -> Int64 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: Int64.random(in: -1_000_000...0, using: &generator)
      case 1...5: Int64.random(in: 0...100_000, using: &generator)
      case 6...8: Int64.random(in: 0...33_000_000, using: &generator)
      default: Int64.random(in: 0...200_000_000, using: &generator)
      }
    }

    mutating func set() {
      let time = Timestamp(microseconds: now.microseconds + drawDelay())
      let id = wheel.schedule(nextToken, at: time)
      timers.append(Timer(token: nextToken, id: id, time: time, earliest: max(time, now)))
      nextToken += 1
    }

    mutating func cancel() {
      if !timers.isEmpty, Bool.random(using: &generator) {
        let timer = timers.remove(at: Int.random(in: 0..<timers.count, using: &generator))
        wheel.cancel(timer.id)
        stale.append(timer.id)
      } else if let id = stale.randomElement(using: &generator) {
        wheel.cancel(id)
      }
    }

    /// Turns the wheel at `now`, setting and cancelling timers meanwhile, as services do.
    mutating func turn() {
      let known = nextToken
      while let token = wheel.popDue(at: now) {
        guard let index = timers.firstIndex(where: { $0.token == token }) else {
          Issue.record("timer \(token) fired twice, or after it was cancelled")
          return
        }
        let timer = timers.remove(at: index)
        stale.append(timer.id)
        firedCount += 1
        #expect(timer.time < now, "timer \(token) fired early")
        #expect(token < known, "timer \(token) fired in the turn that it was set in")
        if Int.random(in: 0..<4, using: &generator) == 0 { set() }
        if Int.random(in: 0..<8, using: &generator) == 0 { cancel() }
      }
      let overdue = timers.filter {
        $0.earliest.microseconds + TimerWheel.resolutionMicroseconds <= now.microseconds
      }
      #expect(overdue.isEmpty, "more than one slot late: \(overdue.map(\.token))")
      checkNextTurn()
    }

    func checkNextTurn() {
      guard let next = wheel.nextTurn else {
        #expect(timers.isEmpty, "\(timers.count) timers and no next turn")
        return
      }
      #expect(!timers.isEmpty, "no timer and a next turn")
      #expect(next > now, "the next turn is in the past")
      let slot = TimerWheel.resolutionMicroseconds
      let isEarly = timers.contains { ($0.earliest.microseconds / slot + 1) * slot < next.microseconds }
      #expect(!isEarly, "a timer is due before the next turn")
    }

    mutating func live(steps: Int) {
      for _ in 0..<steps {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...3: set()
        case 4: cancel()
        case 5: now.microseconds += Int64.random(in: 0...100_000_000, using: &generator)
        case 6...7: now.microseconds += Int64.random(in: 0...20_000, using: &generator)
        default: if let next = wheel.nextTurn { now = max(now, next) }
        }
        turn()
      }
      // Nothing more is set: turning whenever the wheel wants it must fire all.
      var turns = 0
      while let next = wheel.nextTurn, turns < 100_000 {
        now = next
        turn()
        turns += 1
      }
      #expect(timers.isEmpty, "\(timers.count) timers never fired")
    }
  }

  @Test("A random sequence of operations fires the same timers as a plain list")
  func randomLife() {
    let seed = UInt64.random(in: .min ... .max)
    var life = Life(seed: seed)
    print("timer wheel: seed \(seed)")
    life.live(steps: 5_000)
    #expect(life.firedCount > 500)
  }
}
