// The requests of a console to its feed: a view to watch, an action, or a question. docs/CONSOLE.md describes them.
//
// Values, and their reading; pure. A fault in an action is reported to the operator. A message that none of our pages
// would send closes the feed.
import Game
import WebSocket

enum ConsoleRequest: Sendable, Equatable {
  case watch(ConsoleView)
  /// An action, with the number for its reply.
  case act(Int, OperatorAction)
  /// The games of a room, with the number for its reply.
  case games(Int, RoomID)
  /// An action or question that is invalid as it stands; the text gives the reason.
  case unanswerable(Int, String)

  /// Reads a message.
  ///
  /// - Throws: the status that closes the feed.
  init(_ bytes: UnsafeRawBufferPointer) throws(ConsoleRequestFault) {
    let value: JSONValue
    do throws(JSONFault) {
      value = try JSONValue(bytes)
    } catch {
      throw ConsoleRequestFault(closeCode: CloseStatus.invalidPayload, reason: "\(error)")
    }
    guard case .object(let members) = value else { throw .noSuchForm("an object is expected") }
    let fields = ConsoleFields(members)
    do throws(ConsoleFieldFault) {
      if let view = try fields.text("watch") {
        self = .watch(try ConsoleView(view, fields))
        return
      }
    } catch {
      throw .noSuchForm(error.text)
    }
    self = try Self.numbered(fields)
  }

  private static func numbered(_ fields: ConsoleFields) throws(ConsoleRequestFault) -> ConsoleRequest {
    let id: Int?
    do throws(ConsoleFieldFault) {
      id = try fields.integer("id", in: 1...Int(Int32.max))
    } catch {
      throw .noSuchForm(error.text)
    }
    guard let id else { throw .noSuchForm("watch, or id with act or query") }
    do throws(ConsoleFieldFault) {
      if let act = try fields.text("act") { return .act(id, try OperatorAction(act, fields)) }
      guard let query = try fields.text("query") else { throw ConsoleFieldFault("act or query: missing") }
      guard query == "games" else { throw ConsoleFieldFault("query: games") }
      return .games(id, try fields.room("room"))
    } catch {
      return .unanswerable(id, error.text)
    }
  }
}

/// The status that closes a feed after an invalid message.
struct ConsoleRequestFault: Error, Equatable {
  let closeCode: UInt16
  let reason: String

  static func noSuchForm(_ reason: String) -> Self {
    ConsoleRequestFault(closeCode: CloseStatus.policyViolation, reason: reason)
  }
}

/// The fault of a member of a message.
struct ConsoleFieldFault: Error {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

/// The members of a message, read by name. Unread members are ignored: a page may be newer.
struct ConsoleFields {
  private let members: [String: JSONValue]

  init(_ members: [String: JSONValue]) {
    self.members = members
  }

  /// Nil when it is absent or null.
  func text(_ name: String) throws(ConsoleFieldFault) -> String? {
    switch members[name] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw ConsoleFieldFault("\(name): a text")
    }
  }

  func boolean(_ name: String) throws(ConsoleFieldFault) -> Bool? {
    switch members[name] {
    case nil, .null: return nil
    case .boolean(let value): return value
    default: throw ConsoleFieldFault("\(name): true or false")
    }
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(ConsoleFieldFault) -> Int? {
    switch members[name] {
    case nil, .null: return nil
    case .integer(let number) where range.contains(Int(number)): return Int(number)
    default: throw ConsoleFieldFault("\(name): a whole number, \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// One of some words, in upper or lower case.
  func word<Word>(_ name: String, of words: [Word], named text: (Word) -> String) throws(ConsoleFieldFault) -> Word? {
    guard let value = try self.text(name), !value.isEmpty else { return nil }
    guard let word = words.first(where: { text($0).lowercased() == value.lowercased() }) else {
      throw ConsoleFieldFault("\(name): \(words.map(text).joined(separator: ", "))")
    }
    return word
  }

  func player(_ name: String) throws(ConsoleFieldFault) -> PlayerID {
    guard let player = try text(name).flatMap({ PlayerID($0) }) else {
      throw ConsoleFieldFault("\(name): 32 hexadecimal digits")
    }
    return player
  }

  func room(_ name: String) throws(ConsoleFieldFault) -> RoomID {
    guard let room = try roomIfAny(name) else { throw ConsoleFieldFault("\(name): 32 hexadecimal digits") }
    return room
  }

  func roomIfAny(_ name: String) throws(ConsoleFieldFault) -> RoomID? {
    guard let text = try text(name) else { return nil }
    guard let room = RoomID(text) else { throw ConsoleFieldFault("\(name): 32 hexadecimal digits") }
    return room
  }
}

extension OperatorAction {
  /// The minutes of a sanction: up to ten years.
  private static let minutesRange = 1...5_256_000
  private static let seasonRange = 1...Int(UInt32.max)

  /// Reads an action by its name.
  fileprivate init(_ name: String, _ fields: ConsoleFields) throws(ConsoleFieldFault) {
    switch name {
    case "kick": self = .kick(try fields.player("player"))
    case "ban":
      self = .ban(try fields.player("player"), for: try Self.duration(fields), reason: try Self.reason(fields))
    case "unban": self = .unban(try fields.player("player"))
    case "mute":
      self = .mute(try fields.player("player"), for: try Self.duration(fields), reason: try Self.reason(fields))
    case "unmute": self = .unmute(try fields.player("player"))
    case "closeRoom": self = .closeRoom(try fields.room("room"))
    case "announce":
      guard let text = try fields.text("text") else { throw ConsoleFieldFault("text: missing") }
      self = .announce(text, in: try fields.roomIfAny("room"))
    case "drain": self = .drain
    case "closeSeason":
      self = .closeSeason(try Self.season(fields))
    case "voidTaps":
      self = .voidTaps(try fields.player("player"), season: try Self.season(fields))
    default: throw ConsoleFieldFault("act: nothing that can be done")
    }
  }

  private static func duration(_ fields: ConsoleFields) throws(ConsoleFieldFault) -> Duration? {
    try fields.integer("minutes", in: minutesRange).map { .seconds($0 * 60) }
  }

  private static func season(_ fields: ConsoleFields) throws(ConsoleFieldFault) -> UInt32 {
    guard let season = try fields.integer("season", in: seasonRange) else { throw ConsoleFieldFault("season: missing") }
    return UInt32(season)
  }

  private static func reason(_ fields: ConsoleFields) throws(ConsoleFieldFault) -> String {
    try fields.text("reason") ?? ""
  }
}
