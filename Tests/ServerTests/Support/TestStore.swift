// A store for one test, in memory or on the disk, that outlives the test's servers; its folder is deleted with it.
import Dispatch
import Game
import Store
import StoreDoubles
import TestSupport

final class TestStore {
  enum Kind: CaseIterable {
    case memory, disk
  }

  let store: any Store
  private let folder: TestFolder?

  init(_ kind: Kind) throws {
    switch kind {
    case .memory:
      store = MemoryStore()
      folder = nil
    case .disk:
      let folder = try TestFolder()
      store = try SQLiteStore(folder: folder.path)
      self.folder = folder
    }
  }

  deinit {
    store.close()
  }

  /// Deletes a player without the server's knowledge.
  func forget(_ player: PlayerID, at clock: ManualClock) {
    let at = Instant(milliseconds: clock.now().milliseconds)
    commit(Batch(at: at, changes: [.deletion(.finish(player, at: at))]))
  }

  /// Commits a batch in the server's place, and waits.
  func commit(_ batch: Batch) {
    let done = DispatchSemaphore(value: 0)
    store.commit(batch) { _ in done.signal() }
    done.wait()
  }
}
