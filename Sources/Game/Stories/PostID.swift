// The identifier of a post, the same in every table and message. A plain value.

/// The permanent identifier of a post.
package struct PostID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
