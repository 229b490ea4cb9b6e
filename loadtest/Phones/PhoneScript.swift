// The script of a phone in one game: where it is, and what happens to its network, by the time of the game.
//
// Values: a script follows from a seed.
import MadangProtocol

package struct PhoneScript: Sendable {
  package enum Act: Sendable {
    /// The receiver has a fix.
    case take(PhoneFix)
    /// The connection is lost; silently, when nobody is told.
    case lose(isSilent: Bool)
    /// The connection stays, but nothing goes through it.
    case stall
    /// The system kills the app, which loses all but its disk.
    case kill
    /// The phone dials anew, from another network.
    case reconnect
    /// The network is back, or the player starts the app again.
    case comeBack
    /// The time of the game is up.
    case finish

    // Cheats.

    /// Tells these fixes as they are, without a queue. One is a `move`, if it isn't late.
    case tell([PhoneFix], mocked: Bool, isLive: Bool)
    /// Another device of the player's says hello.
    case otherDevice
  }

  package struct Step: Sendable {
    /// Milliseconds since the start of the game.
    package var atMs: Int64
    package var act: Act

    package init(atMs: Int64, _ act: Act) {
      self.atMs = atMs
      self.act = act
    }
  }

  package var name: String
  /// In the order of their times.
  package private(set) var steps: [Step]
  package var expected = ExpectedResult()
  /// The number of fixes in a message of late ones.
  package var batchMax = 60
  /// The time of the first act that is a lie; nil for the honest.
  package var cheatsFromMs: Int64?

  package init(name: String, _ steps: [Step]) {
    self.name = name
    self.steps = steps.enumerated().sorted { ($0.element.atMs, $0.offset) < ($1.element.atMs, $1.offset) }
      .map(\.element)
  }
}

/// The result that an honest phone expects; nil where it can't know it.
package struct ExpectedResult: Sendable {
  package var points: UInt32?
  package var distanceM: ClosedRange<Double>?
  package var runMs: ClosedRange<Int64>?

  package init() {}
}
