// The CPU time of a shard, which may run on one thread after another.
//
// A value of one shard, used on its queue. The kernel counts by thread.
// Decisions: 088 (docs/decisions).
import Glibc

struct ShardCPUTime {
  /// The difference between the CPU time of the shard and of the thread that runs it; microseconds.
  private var lead: Int64 = 0

  /// The CPU time up to now; asks the kernel.
  var microseconds: Int64 { lead + Self.ofThisThread }

  /// The shard begins to run on the calling thread; `end` was the last call before, or none.
  mutating func begin() { lead -= Self.ofThisThread }

  /// The shard stops to run on the calling thread.
  mutating func end() { lead += Self.ofThisThread }

  /// CPU time of the calling thread; 0 when the kernel does not tell.
  private static var ofThisThread: Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
