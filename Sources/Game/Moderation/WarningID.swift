// The identifier of a warning, the same in every table and message. A plain value.

/// The permanent identifier of an operator's warning.
package struct WarningID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
