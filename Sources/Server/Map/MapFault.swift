// What is wrong with a map's file, in words for the operator.

/// The reason why a map can't be read.
package struct MapFault: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
