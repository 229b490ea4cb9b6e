// The description of a map for pages and clients: as TileJSON, and in a shorter form for the server's own pages. Pure.
import ConsoleProtocol

struct MapDescription: Sendable {
  let header: TileArchiveHeader
  /// What the map's makers want to be named by; plain text.
  let attribution: String
  /// The path of tiles, with `{z}`, `{x}` and `{y}`.
  let tiles: String

  /// The description of an archive by its header and its metadata, a JSON text.
  init(_ header: TileArchiveHeader, metadata: [UInt8], tiles: String) {
    self.header = header
    self.tiles = tiles
    let named = JSONDocument(metadata).flatMap { document in
      JSONPointer("/attribution").flatMap { document.text(at: $0) }
    }
    attribution = Self.plain(named ?? "")
  }

  /// The TileJSON of the map (version 2.2.0), for clients that have come by `base`.
  func tileJSON(base: String) -> String {
    let (bounds, centre) = (header.bounds, header.centre)
    let corners = [bounds.west, bounds.south, bounds.east, bounds.north].map(Self.degrees)
    return """
      {"tilejson":"2.2.0","tiles":[\(Self.quoted(base + tiles))],"minzoom":\(header.zooms.lowerBound),\
      "maxzoom":\(header.zooms.upperBound),"bounds":[\(corners.joined(separator: ","))],\
      "center":[\(Self.degrees(centre.lngE7)),\(Self.degrees(centre.latE7)),\(header.centreZoom)],\
      "attribution":\(Self.quoted(attribution))}
      """
  }

  /// The part that the server's pages need, with the path of the library that draws the map.
  func page(library: String) -> String {
    let (bounds, centre) = (header.bounds, header.centre)
    return """
      {"tiles":\(Self.quoted(tiles)),"library":\(Self.quoted(library)),"minZoom":\(header.zooms.lowerBound),\
      "maxZoom":\(header.zooms.upperBound),"westE7":\(bounds.west),"southE7":\(bounds.south),\
      "eastE7":\(bounds.east),"northE7":\(bounds.north),"latE7":\(centre.latE7),"lngE7":\(centre.lngE7),\
      "attribution":\(Self.quoted(attribution))}
      """
  }

  /// 1e-7 degree as degrees.
  private static func degrees(_ unitsE7: Int) -> String {
    let digits = String(unitsE7.magnitude % 10_000_000)
    let fraction = String(repeating: "0", count: 7 - digits.count) + digits
    return "\(unitsE7 < 0 ? "-" : "")\(unitsE7.magnitude / 10_000_000).\(fraction)"
  }

  private static func quoted(_ text: String) -> String { String(decoding: JSONTree.text(text).json, as: UTF8.self) }

  /// The text without tags: metadata of maps have links.
  private static func plain(_ html: String) -> String {
    var text = ""
    var isInTag = false
    for character in html.prefix(500) {
      switch character {
      case "<": isInTag = true
      case ">" where isInTag: isInTag = false
      default: if !isInTag { text.append(character) }
      }
    }
    return text.replacing("&copy;", with: "©").replacing("&amp;", with: "&")
  }
}
