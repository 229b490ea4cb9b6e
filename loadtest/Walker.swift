// Walks a course and plays footprint mode by it, whatever the room's mode is.
//
// Belongs to one bot.
import MadangProtocol

final class Walker: Persona {
  private var course: Course
  private var expected = ExpectedFootprints()

  init(_ course: Course) {
    self.course = course
  }

  var name: String {
    switch course {
    case .track(let track): track.name
    case .random: "random walk"
    }
  }

  var expectedPoints: UInt32? { expected.points }

  func step(at seconds: Double) -> WireMove? {
    let coordinate = course.coordinate(at: seconds)
    expected.take(latE7: coordinate.latE7, lngE7: coordinate.lngE7, accuracyM: Double(Bot.accuracyM))
    return WireMove(at: coordinate)
  }
}

extension WireMove {
  /// A fix as bots send it.
  init(at coordinate: Coordinate) {
    self.init()
    latE7 = coordinate.latE7
    lngE7 = coordinate.lngE7
    accuracyM = Bot.accuracyM
  }
}
