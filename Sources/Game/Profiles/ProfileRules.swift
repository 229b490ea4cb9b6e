// The rules of profiles: what a player may write of themselves. Pure. The content of a text is not judged.

package enum ProfileRules {
  package static let introductionCharactersMax = 300
  /// Bounds the bytes too, since a character may have any length.
  package static let introductionBytesMax = 1_200

  /// Checks an introduction: at most 300 characters and 1,200 bytes, empty or not only white space; line feeds are its
  /// only control characters.
  package static func check(introduction: String) throws(TextFault) {
    guard !introduction.isEmpty else { return }
    try StoryRules.check(
      lines: introduction,
      charactersMax: introductionCharactersMax,
      bytesMax: introductionBytesMax
    )
  }
}
