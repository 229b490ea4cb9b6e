// The kind of a room in counts: its mode and phase. A value.
import Game

struct RoomKind: Hashable, Sendable {
  let mode: Mode
  let phase: Phase

  static let all = Mode.allCases.flatMap { mode in Phase.allCases.map { RoomKind(mode: mode, phase: $0) } }

  /// The kind's place among all.
  var index: Int { Phase.allCases.count * mode.rawValue + phase.rawValue }
}
