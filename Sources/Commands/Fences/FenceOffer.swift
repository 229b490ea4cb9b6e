// A feature of a GeoJSON file that may become a fence, or one polygon of such a feature.
//
// A value. It only reads the file; the rules decide whether a shape is a fence's.
import Cryptography
import Foundation
import Game

package struct FenceOffer {
  /// The title by which a reader finds it in the file.
  package let title: String
  package let fence: Result<Fence, Refusal>

  /// The reason why it is no fence.
  package enum Refusal: Error, CustomStringConvertible {
    case noShape(String)
    case hole
    case malformed
    case noName
    case noRadius
    case identifier
    /// A property that is not what its name asks for.
    case property(String, isNo: String)
    /// Another polygon of the feature is refused: a MultiPolygon is taken as a whole.
    case part
    /// The feature with this title is the same fence.
    case repeated(String)
    /// The coordinate with this index, from 0, has its latitude first.
    case swapped(Int)
    case fault(FenceFault)

    package var description: String {
      switch self {
      case .noShape(let type): "\(type) is neither a Point nor a Polygon nor a MultiPolygon"
      case .hole: "a polygon with holes"
      case .malformed: "its coordinates are not those of its geometry"
      case .noName: "it has no name among its properties"
      case .noRadius: "a Point needs its radius in metres among its properties, as radiusM"
      case .identifier: "its id is neither a text nor a number"
      case .property(let name, let form): "its \(name) is no \(form)"
      case .part: "another polygon of the feature is refused"
      case .repeated(let title): "\(title) has the same identifier"
      case .swapped(let number): GeoJSON.swapped(number)
      case .fault(let fault): fault.description
      }
    }
  }

  /// All candidates in a file. Of several with one identifier the first sound one counts.
  package static func all(inGeoJSON data: Data) throws(GeoJSON.Fault) -> [FenceOffer] {
    var titles: [FenceID: String] = [:]
    return try GeoJSON.features(in: data).flatMap(offers).map { offer in
      guard case .success(let fence) = offer.fence else { return offer }
      if let earlier = titles[fence.id] { return FenceOffer(offer.title, .failure(.repeated(earlier))) }
      titles[fence.id] = offer.title
      return offer
    }
  }

  private static func offers(in feature: GeoJSON.Feature) -> [FenceOffer] {
    switch feature.geometryType {
    case "Point", "Polygon": return [FenceOffer(feature, feature.coordinates ?? NSNull(), polygon: nil)]
    case "MultiPolygon":
      guard let polygons = feature.polygons else { return [FenceOffer(feature.title, .failure(.malformed))] }
      let offers = polygons.enumerated().map { FenceOffer(feature, $1, polygon: polygons.count > 1 ? $0 : nil) }
      let isWhole = offers.allSatisfy { if case .success = $0.fence { true } else { false } }
      return isWhole ? offers : offers.map(\.asPart)
    case let other: return [FenceOffer(feature.title, .failure(.noShape(other.printable)))]
    }
  }

  /// The same polygon, of which the feature has others that are refused.
  private var asPart: FenceOffer {
    if case .success = fence { FenceOffer(title, .failure(.part)) } else { self }
  }

  private init(_ title: String, _ fence: Result<Fence, Refusal>) {
    self.title = title
    self.fence = fence
  }

  /// Reads a feature with one shape, or one polygon of several.
  private init(_ feature: GeoJSON.Feature, _ coordinates: Any, polygon: Int?) {
    title = feature.title + (polygon.map { ", polygon \($0)" } ?? "")
    do throws(Refusal) {
      fence = .success(try Self.fence(feature, coordinates, suffix: polygon.map { " \($0 + 1)" } ?? ""))
    } catch {
      fence = .failure(error)
    }
  }

  private static func fence(_ feature: GeoJSON.Feature, _ coordinates: Any, suffix: String) throws(Refusal) -> Fence {
    guard let name = feature.name else { throw .noName }
    let id = try feature.fenceID(name: name, suffix: suffix)
    do throws(FenceFault) {
      try Fence.check(bytes: feature.byteCount(with: coordinates))
    } catch {
      throw .fault(error)
    }
    let topic = feature.property("topic") ?? ""
    guard let topic = topic as? String else { throw .property("topic", isNo: "text") }
    let dwellS = try feature.wholeSeconds("dwellS")
    let (opensAt, closesAt) = (try feature.time("opensAt"), try feature.time("closesAt"))
    let isPoint = feature.geometryType == "Point"
    let shape = isPoint ? try feature.circle(coordinates) : try polygon(coordinates)
    do throws(FenceFault) {
      return try Fence(
        id: id,
        name: name + suffix,
        topic: topic,
        shape: shape,
        dwellS: dwellS,
        opensAt: opensAt,
        closesAt: closesAt
      )
    } catch {
      throw .fault(error)
    }
  }

  private static func polygon(_ rings: Any) throws(Refusal) -> FenceShape {
    guard let rings = rings as? [Any], let outer = rings.first as? [Any] else { throw .malformed }
    guard rings.count == 1 else { throw .hole }
    var ring: [Coordinate] = []
    for (index, position) in outer.enumerated() { ring.append(try coordinate(position, number: index)) }
    do throws(FenceFault) {
      return .polygon(try FencePolygon(ring: ring))
    } catch {
      throw .fault(error)
    }
  }

  fileprivate static func coordinate(_ position: Any, number: Int) throws(Refusal) -> Coordinate {
    do throws(GeoJSON.PositionFault) {
      return try GeoJSON.coordinate(position)
    } catch {
      switch error {
      case .malformed: throw .malformed
      case .offTheMap: throw .fault(.offTheMap(number))
      case .swapped: throw .swapped(number)
      }
    }
  }
}

extension GeoJSON.Feature {
  /// The identifier of a fence: that of the feature, or else that of its name. One of a MultiPolygon has a suffix.
  fileprivate func fenceID(name: String, suffix: String) throws(FenceOffer.Refusal) -> FenceID {
    let text: String
    switch id {
    case nil: text = "name \(name)"
    case let id as String: text = "id \(id)"
    case let id:
      guard let number = GeoJSON.number(id) else { throw .identifier }
      text = "id " + (Int64(exactly: number).map { "\($0)" } ?? number.stringValue)
    }
    let digest = Digest.sha256(Array("madang fence \(text)\(suffix)".utf8))
    return FenceID(digest.prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
  }

  /// The size of the text of a fence, without white space and without what other polygons of the feature have.
  fileprivate func byteCount(with coordinates: Any) -> Int {
    let parts: [Any] = [id ?? NSNull(), properties, coordinates]
    return (try? JSONSerialization.data(withJSONObject: parts, options: .withoutEscapingSlashes))?.count ?? .max
  }

  fileprivate func circle(_ position: Any) throws(FenceOffer.Refusal) -> FenceShape {
    guard let radius = property("radiusM") else { throw .noRadius }
    let form = "number of metres with at most three decimals"
    guard let radiusM = GeoJSON.number(radius)?.doubleValue else { throw .property("radiusM", isNo: form) }
    let rounded = (radiusM * 1_000).rounded()
    // A number in binary is seldom a whole number of mm.
    guard abs(radiusM * 1_000 - rounded) <= 0.001, let radiusMm = Int64(exactly: rounded) else {
      throw .property("radiusM", isNo: form)
    }
    let center = try FenceOffer.coordinate(position, number: 0)
    do throws(FenceFault) {
      return .circle(try FenceCircle(center: center, radiusMm: radiusMm))
    } catch {
      throw .fault(error)
    }
  }

  fileprivate func wholeSeconds(_ name: String) throws(FenceOffer.Refusal) -> Int64? {
    guard let value = property(name) else { return nil }
    guard let number = GeoJSON.number(value), let seconds = Int64(exactly: number) else {
      throw .property(name, isNo: "whole number of seconds")
    }
    return seconds
  }

  fileprivate func time(_ name: String) throws(FenceOffer.Refusal) -> Instant? {
    guard let value = property(name) else { return nil }
    guard let text = value as? String, let time = Instant(rfc3339: text) else {
      throw .property(name, isNo: "time like 2026-11-21T09:00:00+09:00")
    }
    return time
  }
}
