// A fence that an operator offers. A value; the check of a polygon with the most corners takes some milliseconds.
import Game

/// The parts of what may become a fence.
package struct OfferedFence: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    case circle(Coordinate, radiusMm: Int64)
    /// The corners; the last repeats the first.
    case ring([Coordinate])
  }

  package let id: FenceID
  package let name: String
  package let topic: String
  package let shape: Shape
  package let dwellS: Int64?
  package let opensAt: Instant?
  package let closesAt: Instant?

  package init(
    id: FenceID,
    name: String,
    topic: String = "",
    shape: Shape,
    dwellS: Int64? = nil,
    opensAt: Instant? = nil,
    closesAt: Instant? = nil
  ) {
    self.id = id
    self.name = name
    self.topic = topic
    self.shape = shape
    self.dwellS = dwellS
    self.opensAt = opensAt
    self.closesAt = closesAt
  }
}

extension OfferedFence {
  struct Refusal: Error {
    let text: String
    let code: String
  }

  /// The fence with these parts, or the reason why there is none.
  var fence: Result<Fence, Refusal> {
    do throws(FenceFault) {
      let shape: FenceShape =
        switch shape {
        case .circle(let center, let radiusMm): .circle(try FenceCircle(center: center, radiusMm: radiusMm))
        case .ring(let ring): .polygon(try FencePolygon(ring: ring))
        }
      return .success(
        try Fence(
          id: id,
          name: name,
          topic: topic,
          shape: shape,
          dwellS: dwellS,
          opensAt: opensAt,
          closesAt: closesAt
        )
      )
    } catch {
      return .failure(Refusal(text: "fence \(id): \(error)", code: error.code))
    }
  }
}
