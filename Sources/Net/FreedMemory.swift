// Memory that was freed and that malloc keeps: given back to the system after something large was let go at once.
import CLinux

package enum FreedMemory {
  /// Walks through the heap, which takes milliseconds to a second: not on a shard's thread.
  package static func giveBack() {
    malloc_trim(0)
  }
}
