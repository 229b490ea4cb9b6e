// What a messenger shows beside the link of a room (Open Graph), as texts for the page's head.
//
// A pure value. It has no player's name: a preview lies in chats of people who never come.
import Game
import MadangProtocol

struct LinkPreview: Hashable, Sendable {
  let code: RoomCode
  /// Scheme and host of the link, as its reader has them.
  let base: String
  let title: String
  let description: String

  /// `look` is nil where the room's state is not known, or not to be told.
  init(_ code: RoomCode, base: String, _ look: RoomLook?) {
    self.code = code
    self.base = base
    guard let look else {
      title = "마당 Madang"
      description = "눌러서 바로 함께해요. Tap to join."
      return
    }
    let (korean, english) = Self.wording(of: look.mode)
    title = "\(korean) \(english) · 마당 Madang"
    let (seated, capacity) = (look.seated, look.capacity)
    guard !look.isLocked else {
      description = "방장이 방을 잠갔어요. 지금은 들어갈 수 없어요. The host has locked the room for now."
      return
    }
    let (others, beside) = Self.wording(ofWalkers: look.walkers)
    let entry = Self.entry(to: look)
    description =
      look.phase == .playing
      ? "\(seated)명이 \(others)놀고 있어요. \(entry.korean) \(seated) are playing\(beside). \(entry.english)"
      : "\(seated)/\(capacity)명이 \(others)모였어요. \(entry.korean) \(seated) of \(capacity) players are in\(beside). \(entry.english)"
  }

  /// The words for what a newcomer can do now.
  private static func entry(to look: RoomLook) -> (korean: String, english: String) {
    if look.isForAccounts { return ("계정이 있는 사람만 들어가요.", "For players with an account.") }
    let isOpen = look.phase != .playing && look.seated < look.capacity
    if look.asksConsent, isOpen || look.takesSpectators {
      return ("방장이 들여보내 주면 함께해요.", "You come in when the host lets you in.")
    }
    if isOpen { return ("눌러서 바로 함께해요.", "Tap to join.") }
    guard look.takesSpectators else {
      return look.phase == .playing
        ? ("다음 판에 함께해요.", "Join the next game.") : ("자리가 없어요.", "There is no free seat.")
    }
    return look.phase == .playing
      ? ("눌러서 구경하고 다음 판에 함께해요.", "Tap to watch, and play next.") : ("눌러서 구경해요.", "Tap to watch.")
  }

  /// The page's placeholders and their values, ready for HTML.
  var values: [(name: String, value: String)] {
    [
      ("code", code.description), ("symbols", code.symbols), ("base", Self.escaped(base)),
      ("title", Self.escaped(title)), ("description", Self.escaped(description)),
    ]
  }

  private static func wording(of mode: Mode) -> (korean: String, english: String) {
    switch mode {
    case .footprint: ("발자국", "Footprints")
    case .territory: ("땅따먹기", "Territory")
    case .land: ("학교 돌기", "Lands")
    }
  }

  /// Words for practice opponents, which stand within a sentence; empty where there are none.
  private static func wording(ofWalkers count: Int) -> (korean: String, english: String) {
    guard count > 0 else { return ("", "") }
    return ("연습 상대 \(count)명과 ", ", with \(count) practice opponent\(count == 1 ? "" : "s")")
  }

  /// A Host field is its sender's own text.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }
}
