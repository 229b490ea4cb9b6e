// The console's view of webhooks: what an admin sees and changes there, and what others see.
import Server
import TestSupport
import Testing

@Suite struct ConsoleWebhooksTests {
  private static let url = "https://example.org/hooks/a-secret-path?key=1"

  @Test("A webhook is in the view with its state, its path for admins alone, and its secret for nobody")
  func view() throws {
    let team = try TestTeam()
    let added = try team.admin.ask(
      "\"act\":\"addWebhook\",\"url\":\"\(Self.url)\",\"name\":\"a\",\"events\":[\"fence\"]"
    )
    let (webhook, secret) = (try #require(added.text("webhook")), try #require(added.text("secret")))
    #expect(added.text("text") == "webhook \(webhook)\nsecret  \(secret)")
    let row = try #require(try team.admin.watch("webhooks").rows("rows").first)
    #expect(row.text("webhook") == webhook && row.text("url") == Self.url && row.text("name") == "a")
    #expect(row["events"] as? [String] == ["fence"] && row.int("pending") == 0 && row.text("switchedOff") == nil)
    #expect(!"\(row)".contains(secret))
    let moderator = try TestConsole(team.operators, team.token("bot", "moderator"))
    let seen = try #require(try moderator.watch("webhooks").rows("rows").first)
    #expect(seen.text("url") == "https://example.org" && !"\(seen)".contains("a-secret-path"))
  }
}
