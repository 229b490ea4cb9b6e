// Marks of the time while games are on. A restart takes the newest commit for the moment of the crash, and stops the
// games' clocks from there on: so a game in which nobody sends anything needs commits too.
//
// Owned by one shard and used on its queue. A timer is set while a game is on.
// Decisions: 019 (docs/decisions).
import Gateway
import Net

final class TimeMarks {
  private unowned let gateway: ShardGateway
  private unowned let context: RoomContext
  private var timer: UInt64 = 0
  private var isTimerSet = false

  /// The longest time without a piece of the shard's journal.
  private static let intervalSeconds: Int64 = 5

  init(_ gateway: ShardGateway, _ context: RoomContext) {
    self.gateway = gateway
    self.context = context
    timer = gateway.addTimer { [unowned self] in mark() }
    context.gameBegan = { [unowned self] in setTimer(after: gateway.core.now) }
  }

  private func setTimer(after time: Timestamp) {
    guard !isTimerSet else { return }
    isTimerSet = true
    gateway.journal.marksTime = true
    _ = gateway.core.setTimer(timer, at: time.advanced(seconds: Self.intervalSeconds))
  }

  private func mark() {
    isTimerSet = false
    guard context.census.isAnyPlaying else { return gateway.journal.marksTime = false }
    let (now, lastCut) = (gateway.core.now, gateway.journal.lastCut)
    if now < lastCut.advanced(seconds: Self.intervalSeconds) { return setTimer(after: lastCut) }
    gateway.journal.markTime()
    setTimer(after: now)
  }
}
