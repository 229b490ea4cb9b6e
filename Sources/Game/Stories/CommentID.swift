// The identifier of a comment, the same in every table and message. A plain value.

/// The permanent identifier of a comment.
package struct CommentID: WideID {
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }
}
