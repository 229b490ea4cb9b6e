// The table of budgets: documents and metrics have the code's rows.
import Foundation
import Gateway
import Server
import Testing

@Suite struct BudgetTableTests {
  private let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")

  private func rows() throws -> [[String]] {
    let text = try String(contentsOfFile: "\(root)/docs/BUDGETS.md", encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("docs/BUDGETS.md lists every budget once, with its scope and its rate")
  func document() throws {
    let rows = try rows()
    #expect(rows.count == BudgetCatalogue.all.count)
    for budget in BudgetCatalogue.all {
      let row = rows.filter { $0[0] == budget.resource && $0[1] == budget.scope.rawValue }
      #expect(row.count == 1, "\(budget)")
      guard let rate = budget.rate else { continue }
      let period = [60_000: "a minute", 3_600_000: "an hour", 86_400_000: "a day"][rate.periodMs]
      let burst = rate.burst == rate.perPeriod ? "" : ", burst \(rate.burst)"
      #expect(row.first?[2] == "\(rate.perPeriod) \(period ?? "")\(burst)", "\(budget)")
    }
  }

  @Test("The catalogue has every budget of the source")
  func catalogue() throws {
    let files = try #require(FileManager.default.enumerator(atPath: "\(root)/Sources"))
    let sources = try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: "\(root)/Sources/\($0)", encoding: .utf8) }
    let declared = sources.map { $0.components(separatedBy: " = Budget(").count - 1 }.reduce(0, +)
    #expect(declared == BudgetCatalogue.all.count)
  }

  @Test("Metrics export every budget's bound, use and refusals; a refusal is counted")
  func metrics() throws {
    let operators = try TestOperators()
    let before = try operators.metrics()
    for budget in BudgetCatalogue.all {
      let labels = "{budget=\"\(budget.resource)\",scope=\"\(budget.scope.rawValue)\"}"
      for name in ["madang_budget_bound", "madang_budget_used", "madang_budget_refusals_total"] {
        #expect(before.text.contains("\n\(name)\(labels) "), "\(name)\(labels)")
      }
    }
    let maker = try operators.game.player("maker")
    for _ in 0..<10 {
      _ = try maker.createRoom()
      try maker.expectOk(.leaveRoom(.init()))
    }
    #expect(try maker.refusal(of: .createRoom(.init())).code == .rateLimited)
    let after = try operators.metrics()
    let labels = "{budget=\"NEW_ROOMS\",scope=\"PLAYER\"}"
    #expect(after["madang_budget_used\(labels)"] == 10)
    #expect(try after.rise(of: "madang_budget_refusals_total\(labels)", since: before) == 1)
    #expect(after["madang_budget_used{budget=\"OPEN_ROOMS\",scope=\"PLAYER\"}"] == 10)
  }
}
