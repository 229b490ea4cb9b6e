// The threads on which pictures are cleaned, and the program for it. Any thread may use it.
//
// Half of the cores at most work on pictures, so that rooms have the others.
import Glibc

final class PictureWork: Sendable {
  /// The most pictures that wait; each is a file on the disk.
  static let waitingMax = 1_024

  /// Nil where no pictures are taken.
  let program: PictureProgram?
  /// The formats that are taken.
  let formats: Set<PictureFormat>
  private let queues: [BoundedQueue]

  init(_ program: PictureProgram?) {
    self.program = program
    formats = program?.formats ?? []
    let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2)
    queues = (0..<count).map { BoundedQueue("madang.pictures.\($0)", waitingMax: Self.waitingMax / count) }
  }

  /// The pictures that wait or are worked on.
  var waiting: Int { queues.reduce(0) { $0 + $1.waiting } }

  /// Runs `body` on the thread with the fewest pictures; false when too many wait.
  func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    queues.min { $0.waiting < $1.waiting }?.run(body) ?? false
  }
}
