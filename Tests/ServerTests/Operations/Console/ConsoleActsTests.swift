// A console's actions, in the feed's own words: each action reaches its target, and is in the audit log and in the
// lists.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct ConsoleActsTests {
  @Test("Each act is done by its name, answered under its number, and listed afterwards")
  func acts() throws {
    let operators = try TestOperators(shards: 2, store: TestSchools.store())
    let console = try TestConsole(operators)
    let host = try operators.game.player("host")
    let guest = try TestPlayer(port: operators.game.port)
    let player = try guest.helloID("guest")
    try guest.expectOk(.chooseSchool(TestPlayer.school("A1")))
    _ = try guest.tap(1, 7)
    let code = try host.createRoom().code
    _ = try guest.joinRoom(code)
    let room = try #require(try console.watch("rooms").rows("rows").first?.text("id"))

    func act(_ name: String, _ members: String = "") throws {
      let reply = try console.ask("\"act\":\"\(name)\"\(members.isEmpty ? "" : ",\(members)")")
      #expect(reply["ok"] as? Bool == true, "\(name): \(reply)")
      operators.game.clock.advance(milliseconds: 200)
    }
    let who = "\"player\":\"\(player)\""
    try act("announce", "\"text\":\"모두\"")
    try act("announce", "\"text\":\"여기\",\"room\":\"\(room)\"")
    #expect(try [host.announcement().text, host.announcement().text] == ["모두", "여기"])
    try act("mute", "\(who),\"minutes\":5,\"reason\":\"loud\"")
    let muted = try console.watch("sanctions").rows("rows")
    #expect(muted.map { $0.text("kind") } == ["mute"] && muted.first?.text("reason") == "loud")
    #expect(muted.first?.int("endsAtMs") == (muted.first?.int("startedAtMs") ?? 0) + 300_000)
    try act("unmute", who)
    try act("voidTaps", "\(who),\"season\":1")
    try act("closeSeason", "\"season\":1")
    #expect(try console.ask("\"act\":\"closeSeason\",\"season\":1").text("error") == "season 1 does not run")
    try act("kick", who)
    #expect(try guest.awaitEnd() == CloseCode.removed.rawValue)
    try act("ban", who)
    #expect(try console.watch("sanctions").rows("rows").map { $0.text("kind") } == ["ban"])
    try act("unban", who)
    try act("closeRoom", "\"room\":\"\(room)\"")
    #expect(try console.watch("rooms")["total"] as? Int == 0)

    let rows = try console.watch("audit").rows("rows").reversed()
    #expect(
      rows.map { $0.text("action") } == [
        "announce", "announce", "mute", "unmute", "voidTaps", "closeSeason", "kick", "ban", "unban", "closeRoom",
      ]
    )
    #expect(rows.allSatisfy { $0.text("address") == "127.0.0.1" })
    #expect(rows.dropFirst(2).first?.text("nickname") == "guest")
  }

  @Test(
    "An unreadable store is reported in the view's answer, and its rows as soon as they can be read",
    arguments: ["sanctions", "audit"]
  )
  func failingStore(view: String) throws {
    let store = StubbornStore()
    let operators = try TestOperators(store: store)
    let console = try TestConsole(operators)
    store.failReading(with: .io("no answer"))
    let failed = try console.watch(view)
    #expect(failed.text("error") == "\(StoreFailure.io("no answer"))")
    store.failReading(with: nil)
    let read = try console.received(view) { $0["error"] == nil }
    #expect(read.isEmpty, "an empty list is left out")
  }
}
