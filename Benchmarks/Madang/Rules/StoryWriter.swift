// The writer beside the reads of the benchmark of stories. It has a queue of its own.
import Dispatch
import Store
import Synchronization

/// Commits of changes, twenty a second.
final class StoryWriter: Sendable {
  private static let commitsPerSecond = 20

  private struct State {
    var world: StoryWorld
    var times = CPUTimes()
    var new: Int
    var isOver = false
  }

  private let store: SQLiteStore
  private let changesAtOnce: Int
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "writer")

  /// Changes that are new have numbers from `new` on.
  init(_ store: SQLiteStore, _ world: StoryWorld, writesPerSecond: Int, new: Int) {
    self.store = store
    changesAtOnce = writesPerSecond / Self.commitsPerSecond
    state = Mutex(State(world: world, new: new))
  }

  func start() {
    queue.asyncAfter(deadline: .now() + .milliseconds(1_000 / Self.commitsPerSecond)) { [self] in
      let changes: [Change]? = state.withLock { state in
        guard !state.isOver else { return nil }
        return (0..<changesAtOnce).map { _ in
          state.new += 1
          return state.world.change(new: state.new).change
        }
      }
      guard let changes else { return }
      let began = MonotonicClock().now()
      store.commit(Batch(at: StoryWorld.now, changes: changes)) { [self] _ in
        let taken = MonotonicClock().now().microseconds(since: began)
        state.withLock { $0.times.record(nanoseconds: taken * 1_000) }
      }
      start()
    }
  }

  /// Ends the commits; returns their times.
  func stop() -> CPUTimes {
    state.withLock { state in
      state.isOver = true
      return state.times
    }
  }
}
