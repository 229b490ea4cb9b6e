// Returns to the system the freed memory that malloc keeps, after something large was released at once. Any thread
// but a shard's.
import CLinux

package enum FreedMemory {
  /// Walks through the heap, which takes milliseconds to a second: not on a shard's queue.
  package static func giveBack() {
    malloc_trim(0)
  }
}
