// The options of `madang serve` for the map of streets.
import ArgumentParser
import Commands
import Glibc
import Server

struct MapOptions: ParsableArguments {
  @Option(
    help: """
      The map under the players: a PMTiles file of vector tiles, or none (default: a few streets of Helsinki, beside \
      the program).
      """
  )
  var map: String?

  /// The configuration of the map; nil without one.
  func resolve(_ settings: Settings) -> MapConfiguration? {
    let folder = ServeOptions.bundledResources + "/Streets"
    let library = folder + "/maplibre-gl.js"
    if let named = map ?? settings.string(.map) {
      return named == "none" ? nil : MapConfiguration(file: named, library: library)
    }
    let bundled = folder + "/helsinki.pmtiles"
    return access(bundled, R_OK) == 0 ? MapConfiguration(file: bundled, library: library) : nil
  }
}
