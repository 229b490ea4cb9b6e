// Chats in a journal: as inputs, and as events of the log. The author of a chat is that of its text.

/// A chat as an input, and a read cursor.
enum ChatInputCoding {
  static func write(_ text: String, from place: Place, by author: PlayerID?, to record: inout RecordWriter) {
    record.place(place)
    if let author { record.text(text, .chat, by: author) } else { record.noText() }
  }

  static func read(from record: inout RecordReader) throws(JournalFault) -> Input {
    .chat(try record.place(), text: try record.textIfAny()?.text ?? "")
  }

  static func write(readUpTo number: UInt32, from place: Place, to record: inout RecordWriter) {
    record.place(place)
    record.bytes.number(number)
  }

  static func readCursor(from record: inout RecordReader) throws(JournalFault) -> Input {
    .readChat(try record.place(), upTo: try record.bytes.number(in: 0...UInt32.max, "cursor"))
  }
}

/// A chat as an event, behind its place.
enum ChatEventCoding {
  static func write(_ text: String, by author: PlayerID, to state: inout RecordWriter) {
    if text.isEmpty { state.noText() } else { state.text(text, .shown, by: author) }
  }

  static func read(at place: Place, from state: inout RecordReader) throws(JournalFault) -> Event.Body {
    let text = try state.textIfAny()
    return .chat(place, author: text?.author ?? PlayerID(0), text: text?.text ?? "")
  }
}
