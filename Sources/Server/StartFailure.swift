// The reason why the server can't start.

/// The reason why the server can't start, for the operator.
package struct StartFailure: Error, CustomStringConvertible {
  package let description: String
}
