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
    case ring(LandFault)

    var description: String {
      switch self {
      case .notPolygon(let type): "\(type) is neither a Polygon nor a MultiPolygon"
      case .hole: "a polygon with holes"
      case .malformed: "its coordinates are not those of a polygon"
      case .name(let why): why
      case .ring(let fault): fault.description
      }
    }
  }

  struct NoGeoJSON: Error {
    let reason: String
  }

  /// All candidates in a file.
  ///
  /// - Throws: `NoGeoJSON`.
  static func all(inGeoJSON data: Data) throws -> [LandOffer] {
    let root: Any
    do {
      root = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw NoGeoJSON(reason: "it is not JSON")
    }
    guard let object = root as? [String: Any], let type = object["type"] as? String else {
      throw NoGeoJSON(reason: "it has no type")
    }
    switch type {
    case "FeatureCollection":
      guard let features = object["features"] as? [Any] else { throw NoGeoJSON(reason: "it has no features") }
      return features.enumerated().flatMap { offers(in: $1 as? [String: Any] ?? [:], number: $0) }
    case "Feature": return offers(in: object, number: 0)
    default:
      throw NoGeoJSON(
        reason: "it is neither a FeatureCollection nor a Feature but a \(type.printable)"
      )
    }
  }

  private static func offers(in feature: [String: Any], number: Int) -> [LandOffer] {
    let properties = feature["properties"] as? [String: Any]
    let name = properties?["name"] as? String
    let title = "feature \(number)" + (name.map { " \"\($0.printable)\"" } ?? "")
    let geometry = feature["geometry"] as? [String: Any]
    let type = geometry?["type"] as? String ?? "a feature without geometry"
    if type == "Polygon" { return [LandOffer(title: title, name: name, rings: geometry?["coordinates"])] }
    guard type == "MultiPolygon" else {
      return [LandOffer(title: title, land: .failure(.notPolygon(type.printable)))]
    }
    guard let polygons = geometry?["coordinates"] as? [Any], !polygons.isEmpty else {
      return [LandOffer(title: title, land: .failure(.malformed))]
    }
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
    guard let rings = rings as? [Any], let outer = rings.first as? [[Double]] else { throw .malformed }
    guard rings.count == 1 else { throw .hole }
    for (index, position) in outer.enumerated() {
      guard position.count >= 2 else { throw .malformed }
      let (lng, lat) = ((position[0] * 1e7).rounded(), (position[1] * 1e7).rounded())
      guard let latE7 = Int32(exactly: lat), let lngE7 = Int32(exactly: lng) else { throw .ring(.offTheMap(index)) }
      ring.append(Coordinate(latE7: latE7, lngE7: lngE7))
    }
    do throws(LandFault) {
      return try Land(named: name, ring: ring, sha256: Digest.sha256)
    } catch {
      throw .ring(error)
    }
  }
}
