// The views of a console beside the overview. Values, and their reading; pure.
import Game

enum ConsoleView: Sendable, Equatable {
  /// Nothing beside the overview.
  case overview
  case rooms(RoomsQuery)
  case room(RoomID)
  /// The first schools of the ranking, with their number.
  case schools(Int)
  case suspects
  case connections(ConnectionsQuery)
  case sanctions
  /// The newest actions of operators, or those before a number.
  case audit(before: Int64?)

  /// The beats between two updates. The ranking moves twice a second. Lists of all rooms and connections walk over all
  /// of them, and no operator reads them faster.
  var beatsPerUpdate: Int {
    switch self {
    case .room: 1
    case .overview, .schools: 2
    case .rooms, .connections, .sanctions, .audit: 4
    // Ten refusals of a hundred players are long.
    case .suspects: 8
    }
  }

  static let rowsRange = 1...200
  private static let rowsDefault = 50
  private static let offsetMax = 1_000_000

  init(_ name: String, _ fields: ConsoleFields) throws(ConsoleFieldFault) {
    switch name {
    case "overview": self = .overview
    case "rooms": self = .rooms(try RoomsQuery(fields))
    case "room": self = .room(try fields.room("room"))
    case "schools": self = .schools(try Self.limit(fields))
    case "suspects": self = .suspects
    case "connections": self = .connections(try ConnectionsQuery(fields))
    case "sanctions": self = .sanctions
    case "audit": self = .audit(before: try fields.integer("before", in: 1...Int.max).map { Int64($0) })
    default: throw ConsoleFieldFault("watch: no such view")
    }
  }

  fileprivate static func limit(_ fields: ConsoleFields) throws(ConsoleFieldFault) -> Int {
    try fields.integer("limit", in: rowsRange) ?? rowsDefault
  }

  fileprivate static func page(_ fields: ConsoleFields) throws(ConsoleFieldFault) -> ListPage {
    ListPage(
      isDescending: try fields.boolean("descending") ?? false,
      offset: try fields.integer("offset", in: 0...offsetMax) ?? 0,
      limit: try limit(fields)
    )
  }
}

/// The shown part of an ordered list.
struct ListPage: Sendable, Equatable {
  var isDescending = false
  var offset = 0
  var limit = 50

  /// The number of first rows that must be known to show it.
  var end: Int { offset + limit }
}

struct RoomsQuery: Sendable, Equatable {
  enum Sort: String, Sendable, CaseIterable {
    case code, mode, phase, shard, players, connected, game, suspects
  }

  var filter: RoomFilter?
  var mode: Mode?
  var phase: Phase?
  var sort = Sort.code
  var page = ListPage()
}

extension RoomsQuery {
  init(_ fields: ConsoleFields) throws(ConsoleFieldFault) {
    filter = RoomFilter(try fields.text("filter") ?? "")
    mode = try fields.word("mode", of: Mode.allCases) { $0.name }
    phase = try fields.word("phase", of: Phase.allCases) { $0.name }
    sort = try fields.word("sort", of: Sort.allCases) { $0.rawValue } ?? .code
    page = try ConsoleView.page(fields)
  }
}

struct ConnectionsQuery: Sendable, Equatable {
  enum Sort: String, Sendable, CaseIterable {
    case nickname, address, shard, unsentBytes, room
  }

  var filter: ConnectionFilter?
  var sort = Sort.nickname
  var page = ListPage()
}

extension ConnectionsQuery {
  init(_ fields: ConsoleFields) throws(ConsoleFieldFault) {
    filter = ConnectionFilter(try fields.text("filter") ?? "")
    sort = try fields.word("sort", of: Sort.allCases) { $0.rawValue } ?? .nickname
    page = try ConsoleView.page(fields)
  }
}
