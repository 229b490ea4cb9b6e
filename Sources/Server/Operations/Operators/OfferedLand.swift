// A land that an operator offers. A value; its survey takes tens of milliseconds for the largest ones.
import Cryptography
import Game

/// A name and a ring that may become a land.
package struct OfferedLand: Hashable, Sendable {
  package let name: String
  /// The corners; the last repeats the first.
  package let ring: [Coordinate]

  package init(name: String, ring: [Coordinate]) {
    self.name = name
    self.ring = ring
  }
}

extension OfferedLand {
  struct Refusal: Error {
    let text: String
  }

  /// The land with this ring, or the reason why there is none.
  var land: Result<Land, Refusal> {
    do {
      try Land.check(name: name)
      return .success(try Land(named: name, ring: ring, sha256: Digest.sha256))
    } catch let fault as TextFault {
      return .failure(Refusal(text: "a land's name: \(fault)"))
    } catch {
      return .failure(Refusal(text: "\(name): \(error)"))
    }
  }
}
