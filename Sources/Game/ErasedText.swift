// The text that replaces a deleted player's text.

package enum ErasedText {
  package static let text = "…"
}
