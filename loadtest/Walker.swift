// Walks a course, and plays footprint mode by it in any mode of the room.
//
// Belongs to one bot.
import MadangProtocol

final class Walker: Persona {
  private var course: Course
  private var expected = ExpectedFootprints()
  /// More than a second's way, so that two fixes which arrive as one are still believed; points are calculated by it.
  private static let accuracyM: UInt32 = 8

  init(_ course: Course) {
    self.course = course
  }

  var name: String { course.name }

  var calculatesPoints: Bool { true }

  var expectedPoints: UInt32? { expected.isUnclear ? nil : expected.points }

  func step(at seconds: Double) -> WireMove? {
    let coordinate = course.coordinate(at: seconds)
    expected.take(latE7: coordinate.latE7, lngE7: coordinate.lngE7, accuracyM: Double(Self.accuracyM))
    return WireMove(at: coordinate, accuracyM: Self.accuracyM)
  }
}

extension WireMove {
  /// A fix as bots send it. Its accuracy forgives a machine that stands still for a moment and then lets two or three
  /// arrive as one.
  init(at coordinate: Coordinate, accuracyM: UInt32 = 15) {
    self.init()
    latE7 = coordinate.latE7
    lngE7 = coordinate.lngE7
    self.accuracyM = accuracyM
  }
}
