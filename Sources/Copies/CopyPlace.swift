// Destinations by the names that operators give them.

package enum CopyPlace {
  /// The destination that a text names: a folder.
  ///
  /// - Throws: `CopyFailure` for a URL of a kind that no copy goes to.
  package static func destination(_ text: String) throws(CopyFailure) -> any CopyDestination {
    guard !text.contains("://") else { throw CopyFailure("a copy goes to a folder, and \(text) is none") }
    return FolderDestination(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
  }
}
