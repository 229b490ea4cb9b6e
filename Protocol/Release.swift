// The release: one number for the server, the programs that come with it and the protocol's module. A constant alone;
// CHANGELOG.md lists its contents.

package enum Release {
  /// The number by semantic versioning (semver.org). Between two releases it is that of the next, followed by `-dev`.
  package static let version = "0.1.0-dev"
}
