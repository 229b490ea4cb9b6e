// Players as operators find them, absent ones too. Part of the contract. Nothing here is written: the rows are those of
// the other features. Secrets and texts of players are left out.
import Game

/// A player in the list of those whom a text finds.
package struct FoundPlayer: Hashable, Sendable {
  package var id: PlayerID
  package var nickname: String
  /// Nil for a guest.
  package var email: String?
  /// Since when the player is known; nil where that was not kept yet.
  package var madeAt: Instant?
  /// Since when the player has an account; nil for a guest.
  package var registeredAt: Instant?
  /// The latest expiry of a session that is stored still, which tells when one was used last; nil without one.
  package var sessionExpiresAt: Instant?

  /// The players of a list.
  package static let countMax = 50

  package init(
    id: PlayerID,
    nickname: String,
    email: String?,
    madeAt: Instant?,
    registeredAt: Instant?,
    sessionExpiresAt: Instant?
  ) {
    self.id = id
    self.nickname = nickname
    self.email = email
    self.madeAt = madeAt
    self.registeredAt = registeredAt
    self.sessionExpiresAt = sessionExpiresAt
  }
}

/// What an operator looks for.
package struct PlayerSearch: Hashable, Sendable {
  /// The beginning of a nickname or of an e-mail, or an identifier or its beginning; in the form of nicknames.
  package let text: String
  /// The identifiers that begin with the text; nil for a text that begins none, or a great many.
  package private(set) var identifiers: ClosedRange<PlayerID>?

  /// Fewer digits would find players who were not meant beside a nickname of digits.
  private static let digitsMin = 6
  private static let digitsMax = 32

  package init(_ typed: String) {
    text = Nickname.searchForm(of: typed)
    let count = text.utf8.count
    guard (Self.digitsMin...Self.digitsMax).contains(count),
      text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let digits = UInt128(text, radix: 16)
    else { return }
    let low = count == Self.digitsMax ? digits : digits << UInt128(4 * (Self.digitsMax - count))
    let span: UInt128 = count == Self.digitsMax ? 0 : (1 << UInt128(4 * (Self.digitsMax - count))) - 1
    identifiers = PlayerID(low)...PlayerID(low + span)
  }

  /// The text as e-mails are stored, with A to Z as small letters.
  package var email: String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The end of the texts that begin with one, in the order of bytes: no character is behind it.
  package static func end(of text: String) -> String { text + "\u{10FFFF}" }
}

/// Everything that an operator is shown of a player.
package struct PlayerFile: Hashable, Sendable {
  /// A room that the player has been in and whose journal is kept.
  package struct Room: Hashable, Sendable {
    package var row: RoomRow
    package var isOpen: Bool

    package init(row: RoomRow, isOpen: Bool) {
      self.row = row
      self.isOpen = isOpen
    }
  }

  /// The rooms, results and rows of the audit log in a file, the newest of each.
  package static let rowsMax = 20

  package var player: FoundPlayer
  /// Whether the player is known by a device.
  package var hasDevice: Bool
  /// When each browser was seen last, the latest first.
  package var browsers: [Instant]
  /// Those in force, by kind.
  package var sanctions: [Sanction]
  /// By the time of their opening, the newest first, then by identifier.
  package var rooms: [Room]
  /// The newest first.
  package var results: [ResultRow]
  /// Operators' actions on the player, the newest first.
  package var audit: [AuditRow]
  /// The reports that the player has made, and those that there have been of what is the player's.
  package var reportsMade: Int64
  package var reportsReceived: Int64
  /// The warnings that the player has not seen.
  package var warningsPending: Int64

  package init(
    player: FoundPlayer,
    hasDevice: Bool,
    browsers: [Instant],
    sanctions: [Sanction],
    rooms: [Room],
    results: [ResultRow],
    audit: [AuditRow],
    reportsMade: Int64,
    reportsReceived: Int64,
    warningsPending: Int64
  ) {
    self.player = player
    self.hasDevice = hasDevice
    self.browsers = browsers
    self.sanctions = sanctions
    self.rooms = rooms
    self.results = results
    self.audit = audit
    self.reportsMade = reportsMade
    self.reportsReceived = reportsReceived
    self.warningsPending = warningsPending
  }
}

/// The finding of players. The calls return at once, on any thread.
package protocol PlayerFindingStore: Sendable {
  /// Up to `limit` players: those whom the text identifies, by identifier; then those whose e-mail begins with it, by
  /// e-mail, in any case of A to Z; then those whose nickname does, by nickname and identifier. Each once. Texts are
  /// compared byte by byte. Players under deletion are unknown.
  func players(matching search: PlayerSearch, limit: Int, _ completion: @escaping Completion<[FoundPlayer]>)

  /// What is kept on a player, with the sanctions in force at a moment; nil for an unknown one.
  func file(of player: PlayerID, at now: Instant, _ completion: @escaping Completion<PlayerFile?>)
}
