// Draws that several workloads make.
import Net
import SeededRandom

extension SplitMix64 {
  /// A moment roughly so many milliseconds from now.
  mutating func moment(after now: Timestamp, aboutMs: Int) -> Timestamp {
    now.advanced(milliseconds: Int64(draw(max(1, aboutMs / 2)...aboutMs * 3 / 2 + 1)))
  }

  /// A player who may be in rooms, has a session and has no request open that decides their room.
  mutating func pickFree(of world: World) -> Player? {
    let free = world.players.filter { $0.state == .ready && !$0.isDeciding && !$0.isLoner }
    return free.isEmpty ? nil : pick(free)
  }
}
