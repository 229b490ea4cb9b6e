// Beats for the clients about twice a millisecond. A shard's wheel would make them send in bursts of 4 ms.
//
// Keeps one thread, which sleeps from beat to beat: a dispatch timer would wake dispatch's own manager thread for each.
import Dispatch
import Glibc
import Net
import Synchronization

final class Pacer: Sendable {
  private static let beatNanoseconds = 250_000
  private let isEnded = Atomic(false)

  init(_ shard: ServiceShard<LoadService>) {
    DispatchQueue(label: "madang.bench.pacer").async { self.run(shard) }
  }

  func end() {
    isEnded.store(true, ordering: .relaxed)
  }

  private func run(_ shard: ServiceShard<LoadService>) {
    let done = DispatchSemaphore(value: 0)
    var pause = timespec(tv_sec: 0, tv_nsec: Self.beatNanoseconds)
    while !isEnded.load(ordering: .relaxed) {
      nanosleep(&pause, nil)
      shard.post { service in
        service.beat()
        done.signal()
      }
      // In step with the clients: the next beat waits until the last one has been handled.
      done.wait()
    }
  }
}
