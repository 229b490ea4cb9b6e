// Writes lines to the standard error on a thread of its own, so that logging never waits for the reader.
//
// Any thread. Lines are written whole and in order. While a reader stalls, they wait up to a bound; lines beyond it are
// lost and counted. Without a reader all are lost. SIGPIPE must be ignored in a process that should outlive its reader.
import Dispatch
import Glibc
import Locks

package final class LogWriter: Sendable {
  package static let standardError = LogWriter(STDERR_FILENO)
  package static let waitingBytesMax = 1 << 20

  private struct State {
    var waitingBytes = 0
    var lost = 0
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "madang.log")
  private let state = OrderedMutex(.leaf, State())

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Queues a line. Returns the number of lines lost since the last report, for a line that reports them.
  package func write(_ line: [UInt8]) -> Int {
    let (isTaken, lost) = state.withLock { state in
      guard state.waitingBytes + line.count <= Self.waitingBytesMax else {
        state.lost += 1
        return (false, 0)
      }
      defer { state.lost = 0 }
      state.waitingBytes += line.count
      return (true, state.lost)
    }
    if isTaken {
      queue.async { [self] in
        put(line)
        state.withLock { $0.waitingBytes -= line.count }
      }
    }
    return lost
  }

  /// Waits until the earlier lines are written, for a second at most: a process may not hang for its reader.
  package func flush() {
    let isDone = DispatchSemaphore(value: 0)
    queue.async { isDone.signal() }
    _ = isDone.wait(timeout: .now() + 1)
  }

  private func put(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another user of a shared descriptor may have made it non-blocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }
}
