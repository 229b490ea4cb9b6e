// How a store is copied. A value.

package struct CopySettings: Hashable, Sendable {
  /// The time between two deltas.
  package var interval = Duration.seconds(2)
  /// The generations that are kept.
  package var generationsKept = 3
  /// The time for which a generation goes on at most.
  package var generationSpan = Duration.seconds(86_400)
  /// A generation whose deltas have more bytes than its snapshot by this factor, and at least `deltaBytesMin`, is
  /// followed by another one; and so is none before `generationSpanMin`.
  package var deltaFactor = 2
  package var deltaBytesMin = 256 << 20
  package var generationSpanMin = Duration.seconds(3_600)
  /// The size of a piece of a snapshot, in pages.
  package var piecePages = 1_024
  /// The time between two pieces, while another generation is whole and while none is.
  package var piecePause = Duration.milliseconds(250)
  package var firstPiecePause = Duration.milliseconds(50)
  /// The time between two marks of how far the copy goes.
  package var markInterval = Duration.seconds(15)
  /// The time before a failed call is tried again, doubled with each failure.
  package var retryMin = Duration.seconds(1)
  package var retryMax = Duration.seconds(60)

  package init() {}
}
