// The text that stands where a deleted player's text was.

package enum ErasedText {
  package static let text = "…"
}
