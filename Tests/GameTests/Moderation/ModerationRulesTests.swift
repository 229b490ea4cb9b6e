// The rules of reports' and warnings' texts, and the bits of reasons.
import Game
import Testing

@Suite("Reports and warnings have rules")
struct ModerationRulesTests {
  private static func fault(_ check: () throws(TextFault) -> Void) -> TextFault? {
    do throws(TextFault) { try check() } catch { return error }
    return nil
  }

  @Test(
    "A report's text may be empty, and has up to 200 characters",
    arguments: [
      ("", nil), ("왜냐하면\n그렇다", nil), (String(repeating: "가", count: 200), nil),
      (String(repeating: "가", count: 201), .tooLong(charactersMax: 200)),
      (String(repeating: "👨‍👩‍👧‍👦", count: 200), .tooLong(charactersMax: 200)), (" \u{3000}", .onlyWhiteSpace),
      ("\n", .onlyWhiteSpace), ("말\u{7}", .controlCharacter),
    ] as [(String, TextFault?)]
  )
  func reports(text: String, fault: TextFault?) {
    #expect(Self.fault { () throws(TextFault) in try ModerationRules.check(text: text) } == fault)
  }

  @Test(
    "A warning has 1 to 500 characters",
    arguments: [
      ("", .empty), ("조심", nil), (String(repeating: "가", count: 500), nil),
      (String(repeating: "가", count: 501), .tooLong(charactersMax: 500)), ("말\u{7f}", .controlCharacter),
    ] as [(String, TextFault?)]
  )
  func warnings(text: String, fault: TextFault?) {
    #expect(Self.fault { () throws(TextFault) in try ModerationRules.check(warning: text) } == fault)
  }

  @Test("Reasons are bits, in one order, and nine in all")
  func reasons() {
    #expect(ReportReason.allCases.count == 9 && ReportReasons(ReportReason.allCases).rawValue == 511)
    #expect(ReportReasons([.other, .spam]).all == [.spam, .other])
    #expect(Set(ReportReason.allCases.map(\.name)).count == 9)
  }
}
