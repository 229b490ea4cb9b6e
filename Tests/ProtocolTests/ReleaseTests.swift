// The release that programs report, compared with the changelog.
import Foundation
import MadangProtocol
import Testing

@Suite struct ReleaseTests {
  @Test("The version is that of the changelog's newest release, or the next one while that is unreleased")
  func changelog() throws {
    let file = Vector.protocolFolder.deletingLastPathComponent().appendingPathComponent("CHANGELOG.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let newest = try #require(lines.first { $0.hasPrefix("## ") }?.dropFirst(3))
    let version = try #require(Release.version.wholeMatch(of: /(\d+\.\d+\.\d+)(-dev)?/)).output
    if newest == "Unreleased" {
      #expect(version.2 != nil)
      #expect(!lines.contains { $0.hasPrefix("## [\(version.1)]") })
    } else {
      #expect(version.2 == nil && newest.hasPrefix("[\(version.1)]"))
    }
  }
}
