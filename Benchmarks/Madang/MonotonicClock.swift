// The machine's monotonic clock, unchanged: two processes of one machine read it alike.
//
// A value. Madang's own clock is set to each process's start, so times of two processes can't be compared by it.
import Glibc
import Net

struct MonotonicClock: Clock {
  func now() -> Timestamp {
    var time = timespec()
    let result = clock_gettime(CLOCK_MONOTONIC, &time)
    precondition(result == 0, "a POSIX clock of this system can't be read")
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}
