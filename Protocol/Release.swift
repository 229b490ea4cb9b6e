// Which release this is: one number for the server, the programs that come along with it and the protocol's module. A constant
// alone; CHANGELOG.md says what is in it.

package enum Release {
  /// By semantic versioning (semver.org). Between two releases it is the number of the next with `-dev` behind.
  package static let version = "0.1.0-dev"
}
