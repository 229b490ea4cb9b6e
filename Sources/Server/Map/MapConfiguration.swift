// The operator's choice of a map. A value.

package struct MapConfiguration: Sendable {
  /// A PMTiles file of vector tiles.
  package var file: String
  /// The script of MapLibre GL that draws it in pages; where there is no such file, pages have the plain ground.
  package var library: String

  package init(file: String, library: String) {
    (self.file, self.library) = (file, library)
  }
}
