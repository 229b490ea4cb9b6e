// The filters of lists of rooms and connections, as an operator types them. Values, read once, so that testing a row
// makes no text.
import Game
import MadangProtocol
import Net

/// The beginning of a room's code, with or without its hyphen, or of its identifier.
struct RoomFilter: Sendable, Equatable {
  private let code: RoomCodePrefix?
  private let id: IDPrefix?

  /// Nil for a text without anything to search for.
  init?(_ text: String) {
    guard text.contains(where: { $0 != " " }) else { return nil }
    code = RoomCodePrefix(text)
    id = IDPrefix(text)
  }

  /// Whether the room matches. `code` is nil for a room whose code is hidden.
  func matches(_ code: RoomCode?, _ id: RoomID) -> Bool {
    if let prefix = self.code, let code, prefix.matches(code) { return true }
    return self.id?.matches(id.value) ?? false
  }
}

/// A part of a nickname, or the beginning of a player's identifier or of an address.
struct ConnectionFilter: Sendable, Equatable {
  /// In lower case, as far as ASCII has it.
  private let nickname: [UInt8]
  private let id: IDPrefix?
  /// Nil for a text that begins no address.
  private let address: String?

  /// Nil for an empty text.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    nickname = text.utf8.map(Self.lowercase)
    id = IDPrefix(text)
    let lowercase = text.lowercased()
    address = lowercase.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" } ? lowercase : nil
  }

  func matches(_ player: PlayerID?, _ nickname: String?, _ address: IPAddress) -> Bool {
    if let nickname, contains(nickname) { return true }
    if let id, let player, id.matches(player.value) { return true }
    return self.address.map { address.description.hasPrefix($0) } ?? false
  }

  private func contains(_ text: String) -> Bool {
    var rest = text.utf8[...]
    while rest.count >= nickname.count {
      if zip(rest, nickname).allSatisfy({ Self.lowercase($0) == $1 }) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// The first digits of an identifier.
private struct IDPrefix: Sendable, Equatable {
  private let digits: UInt128
  private let bits: Int

  /// Nil for a text that begins no identifier.
  init?(_ text: String) {
    guard (1...32).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let digits = UInt128(text, radix: 16)
    else { return nil }
    self.digits = digits
    bits = 4 * text.utf8.count
  }

  func matches(_ value: UInt128) -> Bool { value >> UInt128(128 - bits) == digits }
}
