// The memory of a phone's app, and its disk.
//
// Values of one phone. The memory is lost when the app is killed.
import Foundation

/// The state that an app has only while it runs.
struct PhoneApp {
  /// The newest event that it knows; nil before the first.
  var lastEvent: UInt32?
  /// Whether the session goes on over this connection.
  var isWelcome = false
  /// Whether every kept fix was sent over this connection, so that the next one may be sent at once.
  var isLive = false
  /// The request that tells kept fixes, and the time of its last one.
  var telling: (id: UInt32, throughMs: Int64)?
  /// The time of the game is up, and whether the last `moves` says so.
  var isOver = false
  var tellsLast = false
  /// The time of the newest question about judged fixes, milliseconds of the game.
  var confirmedAtMs: Int64 = 0

  /// The connection has ended.
  mutating func disconnect() {
    isWelcome = false
    isLive = false
    telling = nil
  }
}

/// A phone's disk: one file, rewritten with each change.
struct PhoneDisk {
  struct Content: Codable {
    var sessionToken = ""
    var fixes: [PhoneFix] = []
  }

  private let file: URL

  init(_ folder: URL, phone: Int) {
    file = folder.appendingPathComponent("phone-\(phone).json")
  }

  func write(_ content: Content) throws {
    try JSONEncoder().encode(content).write(to: file)
  }

  func read() throws -> Content {
    try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
  }
}
