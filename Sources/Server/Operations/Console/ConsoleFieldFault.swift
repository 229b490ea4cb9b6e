// The fault of a member of an operator's message. A value.

struct ConsoleFieldFault: Error {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
