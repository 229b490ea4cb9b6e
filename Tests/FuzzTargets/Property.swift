// The assertion of a target. A function.

/// Ends the process when a property is broken. Names the property in release builds too, unlike `precondition`.
package func mustHold(_ holds: Bool, _ property: @autoclosure () -> String) {
  if !holds { fatalError("broken property: \(property())") }
}
