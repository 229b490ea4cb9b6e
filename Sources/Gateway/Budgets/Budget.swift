// The table of budgets: bounds for each stranger, and for all strangers together, on resources that others pay for.
//
// Values. docs/BUDGETS.md and /metrics show the same rows; a test holds them together. A budget that lies in another
// layer (connections, unsent bytes, the data folder) has its bound there and its row here.
import MadangProtocol

/// A bound for each connection, room, player, address or account, or for the whole process.
package enum Budget: Int, CaseIterable, Sendable {
  // Rates, counted by `Budgets`.
  case newRooms
  case starts
  case startsOfRoom
  case roomStates
  case roomStatesOfAddress
  case journal
  case journalOfAddress
  case queries
  case queriesOfAddress
  case schoolChoices
  case wrongCodes
  case wrongCodesOfAddress
  case wrongCodesByHTTP
  case hellos
  case newGuestsOfAddress
  case newGuestsOfLightAddress
  case newGuests
  case deletions
  case erasedRoomBytes
  case passwordsOfEmailFromAddress
  case passwordsOfEmail
  case passwordsOfAddress

  // Amounts: the current use.
  case openRooms
  case openRoomsOfPlayer
  case openRoomsOfAddress
  case waitingPasswords
  case waitingPasswordsOfAddress
  case waitingJournals
  case connections
  case connectionsOfAddress
  case requestsOfAddress
  case upgradesOfAddress
  case handshakes
  case unsentBytes
  case dataBytes
}

extension Budget {
  /// The kind of payer that a budget bounds.
  package enum Scope: String, Sendable {
    case player = "PLAYER"
    case room = "ROOM"
    /// An IPv4 address, or an IPv6 /64.
    case address = "ADDRESS"
    case account = "ACCOUNT"
    /// One account's e-mail, tried from one address.
    case accountFromAddress = "ACCOUNT_FROM_ADDRESS"
    case process = "PROCESS"
  }

  /// The refill rule of an allowance.
  package struct Rate: Sendable, Equatable {
    /// The units that may be used at once.
    package let burst: Int64
    /// The units that come back in each period.
    package let perPeriod: Int64
    package let periodMs: Int64

    package static func perMinute(_ count: Int, burst: Int? = nil) -> Rate {
      Rate(burst: Int64(burst ?? count), perPeriod: Int64(count), periodMs: 60_000)
    }

    package static func perHour(_ count: Int64, burst: Int64) -> Rate {
      Rate(burst: burst, perPeriod: count, periodMs: 3_600_000)
    }
  }

  /// The name of the resource in documents and in the label `budget` of metrics.
  package var resource: String {
    switch self {
    case .newRooms: "NEW_ROOMS"
    case .starts, .startsOfRoom: "STARTS"
    case .roomStates, .roomStatesOfAddress: "ROOM_STATES"
    case .journal, .journalOfAddress: "JOURNAL_BYTES"
    case .queries, .queriesOfAddress: "QUERIES"
    case .schoolChoices: "SCHOOL_CHOICES"
    case .wrongCodes, .wrongCodesOfAddress: "WRONG_CODES"
    case .wrongCodesByHTTP: "WRONG_CODES_BY_HTTP"
    case .hellos: "HELLOS"
    case .newGuestsOfAddress, .newGuests: "NEW_GUESTS"
    case .newGuestsOfLightAddress: "LIGHT_NEW_GUESTS"
    case .deletions: "DELETIONS"
    case .erasedRoomBytes: "ERASED_ROOM_BYTES"
    case .passwordsOfEmailFromAddress, .passwordsOfEmail: "WRONG_PASSWORDS"
    case .passwordsOfAddress: "PASSWORDS"
    case .openRooms, .openRoomsOfPlayer, .openRoomsOfAddress: "OPEN_ROOMS"
    case .waitingPasswords, .waitingPasswordsOfAddress: "WAITING_PASSWORDS"
    case .waitingJournals: "WAITING_JOURNAL_BYTES"
    case .connections, .connectionsOfAddress: "CONNECTIONS"
    case .requestsOfAddress: "HTTP_REQUESTS"
    case .upgradesOfAddress: "UPGRADES"
    case .handshakes: "TLS_HANDSHAKES"
    case .unsentBytes: "UNSENT_BYTES"
    case .dataBytes: "DATA_BYTES"
    }
  }

  package var scope: Scope {
    switch self {
    case .newRooms, .starts, .roomStates, .journal, .queries, .schoolChoices, .wrongCodes, .openRoomsOfPlayer: .player
    case .startsOfRoom: .room
    case .roomStatesOfAddress, .journalOfAddress, .queriesOfAddress, .wrongCodesOfAddress, .wrongCodesByHTTP, .hellos,
      .newGuestsOfAddress, .deletions, .passwordsOfAddress, .openRoomsOfAddress, .waitingPasswordsOfAddress,
      .connectionsOfAddress, .requestsOfAddress, .upgradesOfAddress, .newGuestsOfLightAddress:
      .address
    case .passwordsOfEmail: .account
    case .passwordsOfEmailFromAddress: .accountFromAddress
    case .erasedRoomBytes, .newGuests, .openRooms, .waitingPasswords, .waitingJournals, .connections, .handshakes,
      .unsentBytes, .dataBytes:
      .process
    }
  }

  /// Nil for an amount.
  package var rate: Rate? {
    switch self {
    case .newRooms: .perMinute(Limits.roomsPerMinuteForPlayer)
    case .starts, .startsOfRoom: .perMinute(Limits.startsPerMinute)
    case .roomStates: .perMinute(Limits.roomStatesPerMinuteForPlayer)
    case .roomStatesOfAddress: .perMinute(Limits.roomStatesPerMinuteForAddress)
    // A phone that walks for hours and chats stays far below. A new phone has enough for a minute of the densest chat.
    case .journal: .perHour(4 << 20, burst: 256 << 10)
    // Enough for a school of 400 phones at two fixes a second behind one address. Sixteen such addresses write 25 MiB
    // in a minute.
    case .journalOfAddress: .perHour(64 << 20, burst: 512 << 10)
    case .queries: .perMinute(Limits.queriesPerMinute)
    case .queriesOfAddress: .perMinute(Limits.queriesPerMinuteForAddress)
    case .schoolChoices: .perMinute(Limits.schoolChoicesPerMinute)
    case .wrongCodes: .perMinute(Limits.wrongCodesPerMinuteForSession)
    case .wrongCodesOfAddress, .wrongCodesByHTTP: .perMinute(Limits.wrongCodesPerMinuteForAddress)
    case .hellos: .perMinute(Limits.hellosPerMinuteForAddress)
    case .newGuestsOfAddress: .perMinute(Limits.newGuestsPerMinuteForAddress)
    // Enough for a family, or for a phone and its browser tabs.
    case .newGuestsOfLightAddress: .perMinute(30)
    // Each guest is a row with its indexes. A guest that leaves nothing behind is forgotten after two to three days.
    case .newGuests: .perMinute(6_000)
    case .deletions: .perMinute(Limits.deletionsPerMinuteForAddress)
    case .erasedRoomBytes: .perMinute(4 << 20, burst: 1 << 20)
    case .passwordsOfEmailFromAddress: .perMinute(Limits.wrongPasswordsPerMinuteForEmailFromAddress)
    case .passwordsOfEmail: .perMinute(Limits.wrongPasswordsPerMinuteForEmail)
    case .passwordsOfAddress: .perMinute(Limits.passwordsPerMinuteForAddress)
    case .openRooms, .openRoomsOfPlayer, .openRoomsOfAddress, .waitingPasswords, .waitingPasswordsOfAddress,
      .waitingJournals, .connections, .connectionsOfAddress, .requestsOfAddress, .upgradesOfAddress, .handshakes,
      .unsentBytes, .dataBytes:
      nil
    }
  }

  /// Whether the loopback is unlimited: load tests, tools and undeclared proxies run there.
  package var exemptsLoopback: Bool {
    switch self {
    case .hellos, .newGuestsOfAddress, .newGuestsOfLightAddress, .roomStatesOfAddress, .journalOfAddress,
      .queriesOfAddress, .openRoomsOfAddress:
      true
    default: false
    }
  }
}
