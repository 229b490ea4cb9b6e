// A text in a journal, with its author. Texts lie apart from the records, so that one can be erased without changing
// the game's inputs. A plain value and its bytes. Rules may depend only on whether a text would have been refused.

/// A text in a chunk's section of texts.
struct JournalText: Sendable {
  /// The kind of a text, which decides its form when erased: a valid text still reads as a valid one.
  enum Kind: UInt8, Sendable {
    /// The text as given to the room, which has yet to judge it.
    case chat
    case nickname
    /// The text as a room shows it.
    case shown
    case erased
    case erasedRefused

    /// The replacement of an erased text; nil where the text is still there.
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

  /// The text as read. Only valid UTF-8 is ever written; later damage is repaired.
  var text: String {
    kind.substitute ?? String(decoding: utf8, as: UTF8.self)
  }

  /// The same entry without its text.
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

  /// Writes a text without an intermediate copy of its bytes.
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
