// The views of a console beside the overview. Values, and their reading; pure.
import ConsoleProtocol
import Game
import Store

package enum ConsoleView: Sendable, Equatable {
  /// Nothing beside the overview.
  case overview
  case rooms(RoomsQuery)
  case room(RoomID)
  /// The first schools of the ranking, with their number.
  case schools(Int)
  case suspects
  case connections(ConnectionsQuery)
  case sanctions
  /// Proposals of lands that wait.
  case proposals
  /// The fences and capsules in the box of a map.
  case places(MapBox)
  /// The newest actions of operators, or those before a number.
  case audit(before: Int64?)
  /// Reported things.
  case reports(ReportsQuery)
  /// Operators, tokens and sessions.
  case operators
  /// Targets of webhooks, and the state of their deliveries.
  case webhooks

  /// The refreshes between two updates. The ranking moves twice a second. Lists of all rooms and connections walk over
  /// all of them, and no operator reads them faster.
  var refreshesPerUpdate: Int {
    switch self {
    case .room: 1
    case .overview, .schools: 2
    case .rooms, .connections, .sanctions, .audit, .operators, .webhooks: 4
    // Ten refusals of a hundred players are long, and so are fifty pictures, two hundred outlines, or many reports.
    case .suspects, .proposals, .places, .reports: 8
    }
  }

  /// Reads a view by its name.
  init(_ name: String, _ bytes: [UInt8]) throws {
    switch name {
    case "overview": self = .overview
    case "rooms": self = .rooms(try RoomsQuery(FeedWatchRooms(consoleJSON: bytes)))
    case "room": self = .room(try FeedWatchRoom(consoleJSON: bytes).room.roomID)
    case "schools":
      let schools = try FeedWatchSchools(consoleJSON: bytes)
      self = .schools(try ListPage.limit(schools.hasLimit ? schools.limit : nil))
    case "suspects": self = .suspects
    case "connections": self = .connections(try ConnectionsQuery(FeedWatchConnections(consoleJSON: bytes)))
    case "sanctions": self = .sanctions
    case "proposals": self = .proposals
    case "places": self = .places(try MapBox(FeedWatchPlaces(consoleJSON: bytes)))
    case "audit":
      let audit = try FeedWatchAudit(consoleJSON: bytes)
      guard !audit.hasBefore || audit.before > 0 else { throw ConsoleFieldFault("before: a whole number from 1") }
      self = .audit(before: audit.hasBefore ? audit.before : nil)
    case "reports": self = .reports(try ReportsQuery(FeedWatchReports(consoleJSON: bytes)))
    case "operators": self = .operators
    case "webhooks": self = .webhooks
    default: throw ConsoleFieldFault("watch: no such view")
    }
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

extension ListPage {
  private static let offsetRange: ClosedRange<Int32> = 0...1_000_000
  private static let limitRange: ClosedRange<Int32> = 1...200

  fileprivate init(descending: Bool, offset: Int32, limit: Int32?) throws(ConsoleFieldFault) {
    guard Self.offsetRange.contains(offset) else {
      throw ConsoleFieldFault("offset: a whole number, 0 to \(Self.offsetRange.upperBound)")
    }
    self.init(isDescending: descending, offset: Int(offset), limit: try Self.limit(limit))
  }

  /// The rows of a page: as many as were asked for, or 50.
  static func limit(_ limit: Int32?) throws(ConsoleFieldFault) -> Int {
    guard let limit else { return ListPage().limit }
    guard limitRange.contains(limit) else {
      throw ConsoleFieldFault("limit: a whole number, 1 to \(limitRange.upperBound)")
    }
    return Int(limit)
  }
}

package struct RoomsQuery: Sendable, Equatable {
  enum Sort: String, Sendable, CaseIterable {
    case code, mode, phase, shard, players, connected, game, suspects
  }

  var filter: RoomFilter?
  var mode: Mode?
  var phase: Phase?
  var sort = Sort.code
  var page = ListPage()
  /// The page begins behind it; nil for the first one.
  var after: RoomsCursor?
}

extension RoomsQuery {
  fileprivate init(_ watch: FeedWatchRooms) throws(ConsoleFieldFault) {
    filter = RoomFilter(watch.filter)
    mode = try watch.mode.word("mode", of: Mode.allCases) { $0.name }
    phase = try watch.phase.word("phase", of: Phase.allCases) { $0.name }
    sort = try watch.sort.word("sort", of: Sort.allCases) { $0.rawValue } ?? .code
    page = try ListPage(
      descending: watch.descending,
      offset: watch.offset,
      limit: watch.hasLimit ? watch.limit : nil
    )
    after = try RoomsCursor(shown: watch.after)
  }
}

package struct ConnectionsQuery: Sendable, Equatable {
  enum Sort: String, Sendable, CaseIterable {
    case nickname, address, shard, unsentBytes, room
  }

  var filter: ConnectionFilter?
  var sort = Sort.nickname
  var page = ListPage()
  /// The page begins behind it; nil for the first one.
  var after: ConnectionsCursor?
}

extension ConnectionsQuery {
  fileprivate init(_ watch: FeedWatchConnections) throws(ConsoleFieldFault) {
    filter = ConnectionFilter(watch.filter)
    sort = try watch.sort.word("sort", of: Sort.allCases) { $0.rawValue } ?? .nickname
    page = try ListPage(
      descending: watch.descending,
      offset: watch.offset,
      limit: watch.hasLimit ? watch.limit : nil
    )
    let kind: ConnectionKey.Kind =
      switch sort {
      case .nickname: .text
      case .address: .address
      case .shard, .unsentBytes, .room: .number
      }
    after = try ConnectionsCursor(shown: watch.after, of: kind)
  }
}

/// A page of reported things.
package struct ReportsQuery: Sendable, Equatable {
  package var filter = ModerationFilter.waiting
  /// The page begins behind it; nil for the first one.
  package var after: ModerationCursor?
}

extension ReportsQuery {
  fileprivate init(_ watch: FeedWatchReports) throws(ConsoleFieldFault) {
    if !watch.filter.isEmpty && watch.filter != Self.waiting {
      guard let state = ModerationState.allCases.first(where: { $0.word == watch.filter }) else {
        let words = [Self.waiting] + ModerationState.allCases.map(\.word)
        throw ConsoleFieldFault("filter: \(words.joined(separator: ", "))")
      }
      filter = .state(state)
    }
    guard !watch.after.isEmpty else { return }
    guard let cursor = ModerationCursor(watch.after) else { throw ConsoleFieldFault("after: the `next` of a page") }
    after = cursor
  }

  private static let waiting = "waiting"
}

extension MapBox {
  init(_ watch: FeedWatchPlaces) throws(ConsoleFieldFault) {
    let given = [watch.hasSouthE7, watch.hasWestE7, watch.hasNorthE7, watch.hasEastE7]
    let box =
      given.contains(true)
      ? MapBox(southE7: watch.southE7, westE7: watch.westE7, northE7: watch.northE7, eastE7: watch.eastE7)
      : MapBox(southE7: -900_000_000, westE7: -1_800_000_000, northE7: 900_000_000, eastE7: 1_800_000_000)
    guard !given.contains(true) || !given.contains(false), let box else {
      throw ConsoleFieldFault("southE7, westE7, northE7, eastE7: the sides of a map, all four of them or none")
    }
    self = box
  }
}

extension String {
  /// The one of some words that this is, in upper or lower case; nil for an empty text.
  fileprivate func word<Word>(
    _ name: String,
    of words: [Word],
    named text: (Word) -> String
  ) throws(ConsoleFieldFault) -> Word? {
    guard !isEmpty else { return nil }
    guard let word = words.first(where: { text($0).lowercased() == lowercased() }) else {
      throw ConsoleFieldFault("\(name): \(words.map(text).joined(separator: ", "))")
    }
    return word
  }
}
