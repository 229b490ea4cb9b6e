// The requirements on the definition of a mode: its words, its settings, and its game. `Mode` names the definition of
// each mode. A definition does not know its `Mode`.
// Decisions: 100 (docs/decisions).

/// The definition of a mode; a value has the mode's settings in one room.
protocol ModeDefinition: Hashable, Sendable {
  /// The name on the wire and in all output.
  static var name: String { get }
  /// A player's points with their unit, for people.
  static func text(ofPoints points: UInt32) -> String
  /// The duration of a game by default.
  static var durationDefault: Duration { get }

  /// The settings by default.
  init()
  /// - Throws: `SettingOutOfRange` that names the first setting out of its range.
  func check() throws(SettingOutOfRange)
  // In a journal; the mode itself is written before the settings that all rooms have.
  func write(to record: inout RecordWriter)
  init(from record: inout RecordReader) throws(JournalFault)

  /// Makes the game of a new room.
  func makeGame(_ terms: GameTerms) -> any ModeRules
}

/// The settings of a room, of any mode, that the game of its mode uses.
struct GameTerms: Sendable {
  /// The number of seats.
  let seats: Int
  /// The greatest speed of an honest player.
  let speedMaxMmPerS: Int
  /// Whether runs are ranked.
  let ranksRuns: Bool
  /// A run is ranked with at most this share of withheld fixes, in per cent.
  let withheldPercentMax: Int
  /// Whether practice opponents may play.
  let hasWalkers: Bool
}
