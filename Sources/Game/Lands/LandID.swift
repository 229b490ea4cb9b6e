// The identifier of a land: drawn from what the land is, so that the same land has the same one wherever it is imported.

/// A land, for ever.
package struct LandID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
