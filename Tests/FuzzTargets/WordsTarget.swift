// Texts that a player typed, looked through for an operator's words. A line feed ends each word of the list, a zero
// byte the list; the text follows.
import Game

/// A search ends, says the same again, and finds each word of the list in the word itself.
func fuzzWords(_ bytes: UnsafeRawBufferPointer) {
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  // Each line is a list of its own too, so that one without a word does not keep the others from being read.
  let lines = String(decoding: parts[0], as: UTF8.self).split(whereSeparator: \.isNewline).prefix(16)
  let text = String(decoding: parts.count > 1 ? parts[1] : parts[0], as: UTF8.self)
  let known = lines.filter { line in
    guard let list = try? WordList([line]) else { return false }
    let isFound = list.isFound(in: text)
    mustHold(list.isFound(in: text) == isFound, "a search says the same again")
    mustHold(list.count == 0 || list.isFound(in: String(line)), "a word is found in itself")
    return list.count > 0
  }
  guard let list = try? WordList(known) else { fatalError("a list of lists") }
  mustHold(list.count == known.count, "each line has a word")
  let isFound = known.contains { line in (try? WordList([line]))?.isFound(in: text) ?? false }
  mustHold(list.isFound(in: text) == isFound, "a list finds what one of its words alone finds")
}
