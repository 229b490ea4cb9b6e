// The identifier of a fence, drawn by who makes it. A plain value.

/// The permanent identifier of a fence.
package struct FenceID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
