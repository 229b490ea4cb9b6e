// Footprint mode: the footprints of each player. A value beside a room's seats. Players score independently.

/// The state of footprint mode in the newest game.
struct FootprintGame: ModeRules {
  /// By seat, up to the highest that has been taken.
  private var scorings: ContiguousArray<FootprintScoring> = []

  mutating func makeSeats(_ count: Int) {
    while scorings.count < count { scorings.append(FootprintScoring()) }
  }

  var seatsTaken: Int { scorings.count }

  mutating func clear() {
    for seat in scorings.indices { scorings[seat].reset() }
  }

  @inline(__always)
  mutating func take(_ fix: CountedFix, into outputs: inout [Effect]) -> Score {
    scorings[fix.seat].judge(fix.sample) ? .points : .nothing
  }

  mutating func forgetPlaces(of seat: Int) {
    scorings[seat].forgetPlaces()
  }

  func points(of seat: Int) -> UInt32 { scorings[seat].points }

  /// The scoring of a seat; a journal writes it among the seat's own state.
  subscript(seat: Int) -> FootprintScoring {
    get { scorings[seat] }
    set { scorings[seat] = newValue }
  }

  func write(to state: inout RecordWriter) {}
  mutating func read(from state: inout RecordReader) throws(JournalFault) {}
}
