// The fixes that an input brings, with their verdicts. Part of `Input`; for readers of a replay.

extension Input {
  /// Calls `body` with each fix of a player's in a seat and its verdict, in the order in which they were judged.
  /// `effects` are the input's own.
  package func forEachJudgedFix(in effects: Effects, _ body: (_ seat: Int, Fix, FixVerdict) -> Void) {
    switch self {
    case .move(.seat(let seat), let fix):
      if case .judged(let verdict) = effects.answer { body(seat, fix, verdict) }
    case .moves(.seat(let seat), let batch):
      for (fix, verdict) in zip(batch.fixes, effects.verdicts) { body(seat, fix, verdict) }
    default: break
    }
  }
}
