// The reason why an operator's act is not done. A value.

struct ActFault: Error, Sendable, Hashable {
  /// In English, for the operator.
  let text: String
  /// Its name for programs, as docs/CONSOLE.md lists them; nil for one that has none.
  let code: String?

  init(_ text: String, code: String? = nil) {
    self.text = text
    self.code = code
  }
}
