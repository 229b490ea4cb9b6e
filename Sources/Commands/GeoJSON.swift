// The features of a GeoJSON file (RFC 7946), for lists of lands and of fences. Pure: it reads the members of a feature,
// and judges none of them.
import Foundation
import Game

package enum GeoJSON {
  /// The reason why a file is no GeoJSON.
  package struct Fault: Error {
    package let reason: String
  }

  /// A feature of a file. A broken one has no members.
  struct Feature {
    /// The number in the file, from 0.
    let number: Int
    fileprivate let members: [String: Any]

    /// The title by which a reader finds it in the file.
    var title: String { "feature \(number)" + (name.map { " \"\($0.printable)\"" } ?? "") }
    var id: Any? { GeoJSON.value(members["id"]) }
    var name: String? { property("name") as? String }
    var geometryType: String { geometry?["type"] as? String ?? "a feature without geometry" }
    var coordinates: Any? { geometry?["coordinates"] }

    var properties: [String: Any] { members["properties"] as? [String: Any] ?? [:] }

    private var geometry: [String: Any]? { members["geometry"] as? [String: Any] }

    /// The value of a property; nil for none and for `null`.
    func property(_ name: String) -> Any? { GeoJSON.value(properties[name]) }

    /// The coordinates of each polygon of a MultiPolygon; nil where they are none.
    var polygons: [Any]? {
      guard let polygons = coordinates as? [Any], !polygons.isEmpty else { return nil }
      return polygons
    }
  }

  /// All features of a file.
  static func features(in data: Data) throws(Fault) -> [Feature] {
    let root: Any
    do {
      root = try JSONSerialization.jsonObject(with: data)
    } catch {
      throw Fault(reason: "it is not JSON\(place(of: error as NSError, in: data))")
    }
    guard let object = root as? [String: Any], let type = object["type"] as? String else {
      throw Fault(reason: "it has no type")
    }
    switch type {
    case "FeatureCollection":
      guard let features = object["features"] as? [Any] else { throw Fault(reason: "it has no features") }
      return features.enumerated().map { Feature(number: $0, members: $1 as? [String: Any] ?? [:]) }
    case "Feature": return [Feature(number: 0, members: object)]
    default: throw Fault(reason: "it is neither a FeatureCollection nor a Feature but a \(type.printable)")
    }
  }

  /// The place of an error in a file, where Foundation tells it: "… around character 9."
  private static func place(of error: NSError, in data: Data) -> String {
    let text = error.userInfo["NSDebugDescription"] as? String ?? ""
    guard let number = text.firstMatch(of: #/character (\d{1,18})/#).flatMap({ Int($0.1) }) else { return "" }
    let lines = data.prefix(number).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return " around line \(lines.count), column \((lines.last?.count ?? 0) + 1)"
  }

  /// The refusal of a position whose numbers are swapped.
  static func swapped(_ number: Int) -> String {
    "the latitude of coordinate \(number) is beyond the poles: GeoJSON has the longitude first, then the latitude"
  }

  /// The number of a JSON value; nil for anything else, `true` and `false` too.
  static func number(_ value: Any?) -> NSNumber? {
    guard let number = value as? NSNumber, number.objCType.pointee != CChar(UInt8(ascii: "c")) else { return nil }
    return number
  }

  /// The fault of a position.
  enum PositionFault: Error {
    case malformed
    /// A coordinate that no integer of 1e-7 degree can have.
    case offTheMap
    /// A latitude beyond the poles beside a longitude that could be a latitude.
    case swapped
  }

  /// A place, rounded to 1e-7 degree.
  static func coordinate(_ position: Any) throws(PositionFault) -> Coordinate {
    guard let position = position as? [Any], position.count >= 2, let lng = number(position[0]),
      let lat = number(position[1])
    else { throw .malformed }
    if abs(lat.doubleValue) > 90, abs(lat.doubleValue) <= 180, abs(lng.doubleValue) <= 90 { throw .swapped }
    guard let latE7 = Int32(exactly: (lat.doubleValue * 1e7).rounded()),
      let lngE7 = Int32(exactly: (lng.doubleValue * 1e7).rounded())
    else { throw .offTheMap }
    return Coordinate(latE7: latE7, lngE7: lngE7)
  }

  private static func value(_ value: Any?) -> Any? { value is NSNull ? nil : value }
}
