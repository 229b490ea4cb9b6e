// Checks documents against each other and the code: links lead somewhere, and code and decisions name each other. Reads
// text alone.

import Foundation
import Testing

@Suite("Links in documents")
struct DocumentTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The project's documents, relative to the package.
  private static func documents() throws -> [String] {
    let files = FileManager.default
    let top = try files.contentsOfDirectory(atPath: package.path()).filter { $0.hasSuffix(".md") }
    let below = ["docs", "Protocol", "Benchmarks"].flatMap { folder in
      let names = files.enumerator(atPath: package.appending(path: folder).path())?.compactMap { $0 as? String } ?? []
      return names.filter { $0.hasSuffix(".md") && !$0.contains(".build/") }.map { "\(folder)/\($0)" }
    }
    return (top + below).sorted()
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  /// The targets of a document's links, relative to the package; external links are left out.
  private static func links(in path: String) throws -> [String] {
    let folder = package.appending(path: path).deletingLastPathComponent()
    return try text(of: path).matches(of: #/\]\(([^)\s#]+)/#).map { String($0.output.1) }
      .filter { !$0.contains("://") }
      .map { String(folder.appending(path: $0).standardizedFileURL.path().dropFirst(package.path().count)) }
  }

  @Test("Every link of a document leads to an existing file or folder of the project")
  func linksLeadSomewhere() throws {
    let documents = try Self.documents()
    try #require(documents.contains("ARCHITECTURE.md") && documents.contains("docs/decisions/README.md"))
    for path in documents {
      for link in try Self.links(in: path) {
        let isThere = FileManager.default.fileExists(atPath: Self.package.appending(path: link).path())
        #expect(isThere, "\(path) leads to \(link)")
      }
    }
  }

  @Test("The index of decisions lists every decision, and each decision is named by the code that it explains")
  func decisionsAndCode() throws {
    let pages = try Self.documents().filter { $0.hasPrefix("docs/decisions/") && !$0.hasSuffix("README.md") }
    #expect(pages.count > 90)
    #expect(try Set(Self.links(in: "docs/decisions/README.md")) == Set(pages))
    var decisions: [String: Set<Substring>] = [:]
    for page in pages {
      let number = page.dropFirst("docs/decisions/".count).prefix(3)
      let code = try Self.links(in: page)
      #expect(!code.isEmpty, "\(page) explains no code")
      for file in code where file.hasSuffix(".swift") { decisions[file, default: []].insert(number) }
    }
    for file in try SourceTree.targets.get() + SourceTree.tests.get() {
      let line = file.text.firstMatch(of: #/(?m)^// Decisions: ([0-9, ]+) \(docs/decisions\)\.$/#)
      let named = Set(line?.output.1.split(separator: ", ") ?? [])
      #expect(named == decisions[file.path] ?? [], "\(file.path) names \(named.sorted())")
    }
  }
}
