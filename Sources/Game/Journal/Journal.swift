// Operations on a whole journal that need no replay. Pure functions of bytes.

/// A room's journal: the consecutive chunks of its `JournalWriter`.
package enum Journal {
  /// The same journal without a player's texts. Records stay as they are, so that games can still be replayed. An
  /// erased text reads as `…`, and a refused one as an empty text, which is refused too.
  package static func erasing(_ player: PlayerID, from bytes: [UInt8]) throws(JournalFault) -> [UInt8] {
    var journal = ByteReader(bytes)
    var erased: [UInt8] = []
    erased.reserveCapacity(bytes.count)
    while !journal.isAtEnd {
      var chunk = try JournalChunk(from: &journal)
      var texts = ByteWriter()
      while !chunk.texts.isAtEnd {
        let text = try JournalText(from: &chunk.texts)
        (text.author == player ? text.erased : text).write(to: &texts)
      }
      JournalChunk.write(chunk.number, records: chunk.records.rest, texts: texts.bytes[...], into: &erased)
    }
    return erased
  }

  /// A player's texts in a journal that are not erased, chats and nicknames: each once, in their order.
  package static func texts(of player: PlayerID, in bytes: [UInt8]) throws(JournalFault) -> [String] {
    var journal = ByteReader(bytes)
    var found: [String] = []
    var known: Set<String> = []
    while !journal.isAtEnd {
      var chunk = try JournalChunk(from: &journal)
      while !chunk.texts.isAtEnd {
        let text = try JournalText(from: &chunk.texts)
        guard text.author == player, text.kind.substitute == nil, known.insert(text.text).inserted else { continue }
        found.append(text.text)
      }
    }
    return found
  }
}
