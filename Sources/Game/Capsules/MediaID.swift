// The identifier of a medium, such as a picture, the same in every table and message. A plain value.

/// The permanent identifier of a medium.
package struct MediaID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
