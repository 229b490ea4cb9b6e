// How far all rooms of bots are, and the server's use of the CPU since the first began, and while all of them played.
//
// Shared by all shards of bots, under a lock; touched when a room is full, begins or ends, and every 10 ms until all
// are full.
import Synchronization

final class ServerUsage: Sendable {
  /// The server's process; nil where none was named.
  private let server: ServerProcess?
  private let rooms: Int
  private let marks = Mutex(Marks())
  private let tickFrames = Atomic<Int>(0)

  private struct Mark {
    let cpuMicroseconds: Int64
    let tickFrames: Int
    let time = ContinuousClock.now
  }

  private struct Marks {
    var filled = 0
    var begun = 0
    var first: Mark?
    var allBegun: Mark?
    var firstEnded: Mark?
  }

  init(_ server: ServerProcess?, rooms: Int) {
    self.server = server
    self.rooms = rooms
  }

  private var mark: Mark? {
    server?.cpuMicroseconds.map { Mark(cpuMicroseconds: $0, tickFrames: tickFrames.load(ordering: .relaxed)) }
  }

  /// A tick has come to one of the bots.
  func noteTick() {
    tickFrames.add(1, ordering: .relaxed)
  }

  func roomFilled() { marks.withLock { $0.filled += 1 } }

  /// Whether every bot is in its room.
  var areAllFilled: Bool { marks.withLock { $0.filled == rooms } }

  func roomBegan() {
    marks.withLock { marks in
      marks.begun += 1
      if marks.begun == 1 { marks.first = mark }
      if marks.begun == rooms { marks.allBegun = mark }
    }
  }

  func roomEnded() {
    marks.withLock { marks in
      if marks.firstEnded == nil { marks.firstEnded = mark }
    }
  }

  /// The user and system time since the first room began.
  var cpuMicroseconds: Int64? {
    guard let first = marks.withLock({ $0.first }) else { return nil }
    return server?.cpuMicroseconds.map { $0 - first.cpuMicroseconds }
  }

  /// The same from the last room's beginning to the first one's end, that duration, and the ticks that came to bots
  /// meanwhile; nil when they never all played.
  var whileAllPlay: (cpuMicroseconds: Int64, seconds: Double, tickFrames: Int)? {
    let (begin, end) = marks.withLock { ($0.allBegun, $0.firstEnded) }
    guard let begin, let end, begin.time < end.time else { return nil }
    return (
      end.cpuMicroseconds - begin.cpuMicroseconds, (end.time - begin.time) / .seconds(1),
      end.tickFrames - begin.tickFrames
    )
  }
}
