// A text in a journal: it lies apart from the records, with who wrote it, so that it can be erased without touching what was
// played. A plain value and its bytes; no rule may depend on it but whether it would have been refused.

/// A text in the section of texts of a chunk.
struct JournalText: Sendable {
  /// What becomes of the text when it is erased: one that stood for a valid text stands for one again.
  enum Kind: UInt8, Sendable {
    /// As the room was given it, which has yet to judge it.
    case chat
    case nickname
    /// As a room shows it.
    case shown
    case erased
    case erasedRefused

    /// What is read in place of an erased text; nil where the text is still there.
    var substitute: String? {
      switch self {
      case .chat, .nickname, .shown: nil
      case .erased: ErasedText.text
      case .erasedRefused: ""
      }
    }
  }

  var kind: Kind
  var author: PlayerID
  var utf8: ArraySlice<UInt8>

  /// The text as it is read. Only valid UTF-8 is ever written; what has been damaged since is repaired.
  var text: String {
    kind.substitute ?? String(decoding: utf8, as: UTF8.self)
  }

  /// The same without its text.
  var erased: JournalText {
    JournalText(kind: isRefused ? .erasedRefused : .erased, author: author, utf8: [])
  }

  private var isRefused: Bool {
    do throws(TextFault) {
      switch kind {
      case .chat: _ = try ChatText(journaled: text)
      case .nickname: _ = try Nickname(journaled: text)
      case .shown, .erased: break
      case .erasedRefused: return true
      }
      return false
    } catch {
      return true
    }
  }

  func write(to bytes: inout ByteWriter) {
    Self.write(kind, by: author, to: &bytes)
    bytes.number(utf8.count)
    bytes.append(utf8)
  }

  /// Writes a text without making bytes of it first.
  static func write(_ text: String, _ kind: Kind, by author: PlayerID, to bytes: inout ByteWriter) {
    write(kind, by: author, to: &bytes)
    bytes.number(text.utf8.count)
    bytes.append(text.utf8)
  }

  private static func write(_ kind: Kind, by author: PlayerID, to bytes: inout ByteWriter) {
    bytes.byte(kind.rawValue)
    bytes.fixed(author.value)
  }

  init(kind: Kind, author: PlayerID, utf8: ArraySlice<UInt8>) {
    self.kind = kind
    self.author = author
    self.utf8 = utf8
  }

  init(from bytes: inout ByteReader) throws(JournalFault) {
    guard let kind = Kind(rawValue: try bytes.byte()) else { throw bytes.fault(.impossible("kind of text")) }
    self.kind = kind
    author = PlayerID(try bytes.fixed128())
    utf8 = try bytes.part(bytes.count("length of a text")).rest
    try bytes.require(kind.substitute == nil || utf8.isEmpty, "erased text")
  }
}
