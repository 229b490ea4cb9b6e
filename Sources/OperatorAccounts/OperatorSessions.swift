// The sessions of operators' browsers, and their file `madang.sessions` in the data folder, by which they outlive a
// restart. Values; cookies are kept by their digests.
// Decisions: 132 (docs/decisions).
import Cryptography
import Game

/// A browser that has signed in, or has shown the server's token.
package struct OperatorSession: Hashable, Sendable {
  /// 16 hexadecimal digits, by which an operator names it; no proof of anything.
  package let id: String
  package let digest: [UInt8]
  /// The operator; nil for one of the server's own token.
  package let name: OperatorName?
  /// The state of the proof by which it began: with another state it has ended.
  package let proof: String
  package let startedAt: Instant
  package var seenAt: Instant
  package var address: String
  /// The browser in short.
  package let browser: String

  package init(
    cookie: String,
    _ name: OperatorName?,
    proof: String,
    at now: Instant,
    address: String,
    browser: String
  ) {
    digest = OperatorSecret.digest(of: cookie)
    id = Hexadecimal.encode(Array(digest.prefix(8)))
    (self.name, self.proof, self.address, self.browser) = (name, proof, address, browser)
    (startedAt, seenAt) = (now, now)
  }

  /// The time for which a cookie is good.
  package static let lifetime = Duration.seconds(12 * 60 * 60)

  package var expiresAt: Instant { startedAt + Self.lifetime }
}

extension OperatorAccount {
  /// What a session of this operator must have as its proof.
  package var proof: String { "epoch-\(epoch)" }
}

package enum OperatorSessions {
  package static func file(in folder: String) -> PrivateFile { PrivateFile("\(folder)/madang.sessions") }

  private static let remark = [
    "The sessions of operators' browsers. `madang operators sessions` lists them, `end-session` ends one.",
    "To end all, stop the server and delete this file.",
  ]

  /// Reads the file of a folder, oldest first; none where there is none. Sessions end sooner than they are guessed at,
  /// so a file of another form has none.
  package static func read(inFolder folder: String) throws(OperatorFileFault) -> [OperatorSession] {
    guard let text = try file(in: folder).read(), let sections = try? SectionText.sections(of: text) else { return [] }
    return sections.compactMap(OperatorSession.init).sorted { $0.startedAt < $1.startedAt }
  }

  package static func text(of sessions: [OperatorSession]) -> String {
    SectionText.text(remark, sessions.map(\.section))
  }
}

extension OperatorSession {
  fileprivate init?(_ section: Section) {
    guard section.kind == "session", let digest = section["digest"].flatMap(Hexadecimal.decode), digest.count == 32,
      let proof = section["proof"], let startedAt = section.integer("startedAtMs"),
      let seenAt = section.integer("seenAtMs"), let address = section["address"], let browser = section["browser"]
    else { return nil }
    let name = section["operator"].flatMap(OperatorName.init)
    guard (name == nil) == (section["operator"] == nil) else { return nil }
    id = section.name
    (self.digest, self.name, self.proof, self.address, self.browser) = (digest, name, proof, address, browser)
    (self.startedAt, self.seenAt) = (Instant(milliseconds: startedAt), Instant(milliseconds: seenAt))
  }

  fileprivate var section: Section {
    var section = Section("session", id)
    section["digest"] = Hexadecimal.encode(digest)
    section["operator"] = name?.text
    section["proof"] = proof
    section["startedAtMs"] = "\(startedAt.milliseconds)"
    section["seenAtMs"] = "\(seenAt.milliseconds)"
    section["address"] = address
    section["browser"] = browser
    return section
  }
}
