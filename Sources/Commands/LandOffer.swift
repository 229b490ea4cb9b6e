// A polygon of a GeoJSON file (RFC 7946) that may become a land.
//
// A value. It only reads the file; the survey decides whether a ring is a land.
import Cryptography
import Foundation
import Game

struct LandOffer {
  /// The title by which a reader finds the polygon in the file.
  let title: String
  let land: Result<Land, Refusal>
  /// The ring of a land, as the file has it; empty where there is no land.
  let ring: [Coordinate]
  var name: String? { try? land.get().name }

  /// The reason why it is no land.
  enum Refusal: Error, CustomStringConvertible {
    case notPolygon(String)
    case hole
    case malformed
    case name(String)
    /// The coordinate with this index, from 0, has its latitude first.
    case swapped(Int)
    case ring(LandFault)

    var description: String {
      switch self {
      case .notPolygon(let type): "\(type) is neither a Polygon nor a MultiPolygon"
      case .hole: "a polygon with holes"
      case .malformed: "its coordinates are not those of a polygon"
      case .name(let why): why
      case .swapped(let number): GeoJSON.swapped(number)
      case .ring(let fault): fault.description
      }
    }
  }

  /// All candidates in a file.
  static func all(inGeoJSON data: Data) throws(GeoJSON.Fault) -> [LandOffer] {
    try GeoJSON.features(in: data).flatMap(offers)
  }

  private static func offers(in feature: GeoJSON.Feature) -> [LandOffer] {
    let (title, name, type) = (feature.title, feature.name, feature.geometryType)
    if type == "Polygon" { return [LandOffer(title: title, name: name, rings: feature.coordinates)] }
    guard type == "MultiPolygon" else {
      return [LandOffer(title: title, land: .failure(.notPolygon(type.printable)))]
    }
    guard let polygons = feature.polygons else { return [LandOffer(title: title, land: .failure(.malformed))] }
    if polygons.count == 1 { return [LandOffer(title: title, name: name, rings: polygons[0])] }
    return polygons.enumerated().map { index, rings in
      let numbered = name.map { "\($0) \(index + 1)" }
      return LandOffer(title: "\(title), polygon \(index)", name: numbered, rings: rings)
    }
  }

  private init(title: String, land: Result<Land, Refusal>) {
    self.title = title
    self.land = land
    ring = []
  }

  private init(title: String, name: String?, rings: Any?) {
    self.title = title
    var ring: [Coordinate] = []
    do throws(Refusal) {
      land = .success(try Self.land(named: name, rings: rings, &ring))
    } catch {
      land = .failure(error)
    }
    if case .failure = land { ring = [] }
    self.ring = ring
  }

  private static func land(named name: String?, rings: Any?, _ ring: inout [Coordinate]) throws(Refusal) -> Land {
    guard let name else { throw .name("it has no name among its properties") }
    do {
      try Land.check(name: name)
    } catch {
      throw .name("its name: \(error)")
    }
    guard let rings = rings as? [Any], let outer = rings.first as? [Any] else { throw .malformed }
    guard rings.count == 1 else { throw .hole }
    for (index, position) in outer.enumerated() {
      do throws(GeoJSON.PositionFault) {
        ring.append(try GeoJSON.coordinate(position))
      } catch {
        switch error {
        case .malformed: throw .malformed
        case .offTheMap: throw .ring(.offTheMap(index))
        case .swapped: throw .swapped(index)
        }
      }
    }
    do throws(LandFault) {
      return try Land(named: name, ring: ring, sha256: Digest.sha256)
    } catch {
      throw .ring(error)
    }
  }
}
