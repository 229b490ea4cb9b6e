// Places in lists of rooms and connections, from which the next page goes on: behind a row, by what orders the list. So
// rows that come or go before it move nothing. Values; pure.
import Cryptography
import Game
import Net

struct RoomsCursor: Sendable, Equatable {
  let key: Int64
  let id: RoomID
}

extension RoomsCursor {
  /// Reads the `next` of a page; nil for an empty text.
  init?(shown text: String) throws(ConsoleFieldFault) {
    guard !text.isEmpty else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let key = Int64(parts[0]), let id = RoomID(String(parts[1])) else { throw .notNext }
    self.init(key: key, id: id)
  }

  var text: String { "\(key).\(id)" }
}

/// The sort key of a connection; one list has keys of one kind.
enum ConnectionKey: Comparable, Sendable {
  enum Kind: Sendable {
    case number, address, text
  }

  case number(Int64)
  case address(IPAddress)
  case text(String)
}

struct ConnectionsCursor: Sendable, Equatable {
  let key: ConnectionKey
  let shard: Int
  let token: UInt64
}

extension ConnectionsCursor {
  /// Reads the `next` of a page whose keys are of this kind; nil for an empty text.
  init?(shown text: String, of kind: ConnectionKey.Kind) throws(ConsoleFieldFault) {
    guard !text.isEmpty else { return nil }
    guard let bytes = Hexadecimal.decode(text) else { throw .notNext }
    let shown = String(decoding: bytes, as: UTF8.self)
    let parts = shown.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let shard = Int(parts[0]), let token = UInt64(parts[1]),
      let key = ConnectionKey(String(parts[2]), kind)
    else { throw .notNext }
    self.init(key: key, shard: shard, token: token)
  }

  var text: String { Hexadecimal.encode(Array("\(shard).\(token).\(key.text)".utf8)) }
}

extension ConnectionKey {
  fileprivate init?(_ text: String, _ kind: Kind) {
    switch kind {
    case .text: self = .text(text)
    case .address:
      guard let address = IPAddress(text) else { return nil }
      self = .address(address)
    case .number:
      guard let number = Int64(text) else { return nil }
      self = .number(number)
    }
  }

  fileprivate var text: String {
    switch self {
    case .number(let number): "\(number)"
    case .address(let address): "\(address)"
    case .text(let text): text
    }
  }
}

extension ConsoleFieldFault {
  /// The fault of a place in a list.
  static let notNext = ConsoleFieldFault("after: the `next` of a page")
}
