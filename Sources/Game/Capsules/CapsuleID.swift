// The identifier of a capsule, the same in every table and message. A plain value.

/// The permanent identifier of a capsule.
package struct CapsuleID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
