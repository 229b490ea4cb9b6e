// The words in metrics' labels: dashboards and alert rules depend on them, and find nothing when a word changes.
import Foundation
import Game
import MadangProtocol
import Testing

@Suite struct MetricLabelsTests {
  /// The values of a metric's label in a scrape, over all of its series.
  private func words(_ label: String, of metric: String, in scrape: Metrics) -> Set<String> {
    let series = scrape.text.split(separator: "\n").filter { $0.hasPrefix("\(metric){") }
    return Set(
      series.flatMap { line in
        line.split(separator: "\"").adjacentPairs.compactMap { name, word in
          name.hasSuffix("\(label)=") ? String(word) : nil
        }
      }
    )
  }

  @Test(
    "Outcomes, verdicts, modes and phases have their documented labels, from the first scrape on"
  )
  func outcomes() throws {
    let scrape = try TestOperators().metrics()
    let expected: [(metric: String, label: String, words: Set<String>)] = [
      (
        "madang_resumes_total", "outcome",
        [
          "IN_ROOM", "WITHOUT_ROOM", "BAD_TOKEN", "SESSION_ENDED", "SESSION_EXPIRED", "BANNED", "REPLACED",
          "STORE_UNAVAILABLE", "RATE_LIMITED",
        ]
      ),
      (
        "madang_tap_batches_total", "outcome",
        [
          "COUNTED", "AGAIN", "PAST", "BATCH_GAP", "ABNORMAL_TAPS", "RATE_LIMITED", "SCHOOL_NEEDED", "SCHOOL_CLOSED",
          "OUT_OF_RANGE",
        ]
      ),
      ("madang_messages_over_rate_total", "outcome", ["REFUSED", "DROPPED"]),
      ("madang_messages_conflated_total", "type", ["tick", "ranking", "postNews", "feedNews"]),
      (
        "madang_joins_refused_total", "reason",
        [
          "ALREADY_IN_ROOM", "BAD_CODE", "RATE_LIMITED", "ROOM_NOT_FOUND", "ROOM_FULL", "GAME_ON", "STORE_UNAVAILABLE",
          "BARRED", "ACCOUNT_NEEDED", "NOT_IN_ROOM", "ROOM_LOCKED", "NO_SPECTATORS",
        ]
      ),
      ("madang_connections_refused_total", "reason", ["LIMIT", "ADDRESS_LIMIT", "DESCRIPTORS"]),
      (
        "madang_websockets_closed_total", "code",
        Set([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1011].map(String.init))
          .union(CloseCode.allCases.map { String($0.rawValue) }).union(["NONE", "OTHER"])
      ),
    ]
    for (metric, label, words) in expected {
      #expect(self.words(label, of: metric, in: scrape) == words, "\(metric)")
    }
  }

  @Test("A label has the schema's word, if there is one")
  func schema() throws {
    let scrape = try TestOperators().metrics()
    let schema = try Schema()
    #expect(
      words("type", of: "madang_messages_received_total", in: scrape)
        == schema.members(of: "ClientMessage").union(["UNKNOWN_BODY", "MALFORMED", "OVER_RATE"])
    )
    #expect(words("type", of: "madang_messages_sent_total", in: scrape) == schema.members(of: "ServerMessage"))
    #expect(words("code", of: "madang_errors_total", in: scrape) == schema.values(of: "ErrorCode"))
    #expect(words("mode", of: "madang_rooms", in: scrape) == schema.values(of: "Mode"))
    #expect(words("phase", of: "madang_players", in: scrape) == schema.values(of: "Phase"))
    let verdicts = words("verdict", of: "madang_fix_verdicts_total", in: scrape)
    #expect(verdicts == schema.values(of: "FixVerdict").subtracting(["ACCEPTED"]).union(["CLEARED"]))
    #expect(Set(FixVerdict.allCases.map(\.name)) == schema.values(of: "FixVerdict"))
  }

  @Test("The program's release and the version of its rules are labels of a metric with the value 1")
  func buildInfo() throws {
    let metrics = try TestOperators().metrics()
    #expect(metrics["madang_build_info{rules=\"\(RulesVersion.current)\",version=\"\(Release.version)\"}"] == 1)
  }
}

/// The names in `madang.proto`, in their JSON form.
private struct Schema {
  private let text: String

  init() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    text = try String(contentsOfFile: "\(root)/Protocol/madang.proto", encoding: .utf8)
  }

  /// The members of a message's body.
  func members(of message: String) -> Set<String> {
    let fields = lines(of: "message \(message)").drop { !$0.hasSuffix("oneof body {") }
    return Set(
      fields.compactMap { line in
        line.split(separator: " ").dropFirst().first.flatMap { name in
          line.hasSuffix(";") ? Self.camel(String(name)) : nil
        }
      }
    )
  }

  /// The values of an enumeration but the first, which stands for none.
  func values(of name: String) -> Set<String> {
    let values = lines(of: "enum \(name)").filter { $0.hasSuffix(";") }
    return Set(values.dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) })
  }

  private func lines(of declaration: String) -> [Substring] {
    guard let start = text.firstRange(of: "\n\(declaration) {\n"),
      let end = text[start.upperBound...].firstRange(of: "\n}\n")
    else { return [] }
    return text[start.upperBound..<end.lowerBound].split(separator: "\n")
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
  }

  private static func camel(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(words.first.map(String.init) ?? "") { $0 + $1.capitalized }
  }
}

extension Collection {
  fileprivate var adjacentPairs: Zip2Sequence<Self, SubSequence> { zip(self, dropFirst()) }
}
