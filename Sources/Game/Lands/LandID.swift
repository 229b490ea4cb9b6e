// The identifier of a land: derived from the land itself, so that the same land has the same one wherever it is
// imported.

/// The permanent identifier of a land.
package struct LandID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
