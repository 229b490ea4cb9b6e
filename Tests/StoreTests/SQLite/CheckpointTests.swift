// Commits wait for a write-back of the log that is far behind.
import Dispatch
import Store
import Synchronization
import TestSupport
import Testing

@Suite("Checkpoints")
struct CheckpointTests {
  @Test("Commits wait until a slow disk has completed the checkpoint")
  func slowDisk() throws {
    let folder = try TestFolder()
    let store = try SQLiteStore(folder: folder.path)
    defer { store.close() }
    let queue = DispatchQueue(label: "madang.tests.checkpoints")
    let checkpoints = try Checkpoints(path: folder.path + "/madang.sqlite", queue: queue)
    defer { checkpoints.close() }
    // The suspended queue is a disk that does nothing for a while: no checkpoint begins.
    let marks = Mutex<[String]>([])
    queue.suspend()
    for _ in 0..<4 { checkpoints.noteWrites(bytes: 1 << 20, rows: 0) }
    queue.async { marks.withLock { $0.append("written back") } }
    for _ in 0..<3 { checkpoints.noteWrites(bytes: 1 << 20, rows: 0) }
    checkpoints.waitUntilWrittenBack()
    marks.withLock { $0.append("no checkpoint is late") }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { queue.resume() }
    checkpoints.noteWrites(bytes: 1 << 20, rows: 0)
    checkpoints.waitUntilWrittenBack()
    marks.withLock { $0.append("committed") }
    #expect(marks.withLock { $0 } == ["no checkpoint is late", "written back", "committed"])
  }
}
