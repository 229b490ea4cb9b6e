// The operators' queue of reported things, by the console's feed and its listener: rows, pictures, decisions.
import Game
import MadangProtocol
import Server
import Store
import TestSupport
import Testing

@Suite struct ReportQueueTests {
  private let operators: TestOperators
  private var server: TestServer { operators.game }

  init() throws {
    operators = try TestOperators()
  }

  @Test("The queue has what is reported with its reports, and a decision takes it out")
  func queue() throws {
    let author = try TestPlayer(port: server.port)
    let id = try author.helloID("가람")
    let post = try author.write("제목", "글")
    let comment = try author.comment(post, "말")
    let reporters = try server.reporters()
    try reporters[0].expectOk(TestPlayer.report(comment))
    server.clock.advance(milliseconds: 10)
    for (index, reporter) in reporters.enumerated() {
      let reasons: [WireReport.Reason] = index == 0 ? [.hate, .spam] : [.spam]
      let report = TestPlayer.report(reasons) {
        $0.postID = post.postID
        if index == 0 { $0.text = "나쁜 글" }
      }
      try reporter.expectOk(.report(report))
      server.clock.advance(milliseconds: 10)
    }
    let console = try TestConsole(operators)
    let rows = try console.watch("reports").rows("rows")
    #expect(rows.map { $0.text("kind") } == ["post", "comment"])
    #expect(rows.map { $0.text("state") } == ["hiddenByReports", "shown"])
    #expect(rows[0].text("id") == post.postID && rows[0].text("player") == "\(id)" && rows[0].text("nickname") == "가람")
    #expect(rows[0].text("title") == "제목" && rows[0].text("text") == "글" && rows[0].int("reports") == 3)
    #expect(
      rows[0].rows("reasons").map { "\($0.text("reason") ?? "") \($0.int("count") ?? 0)" } == ["SPAM 3", "HATE 1"]
    )
    #expect(rows[0].rows("texts").compactMap { $0.text("text") } == ["나쁜 글"])
    #expect(rows[1].text("post") == post.postID && rows[1].text("text") == "말")
    let restore = try console.ask(
      "\"act\":\"restore\",\"kind\":\"post\",\"subject\":\"\(post.postID)\",\"reason\":\"괜찮음\""
    )
    #expect(restore["ok"] as? Bool == true)
    let hide = try console.ask(
      "\"act\":\"hide\",\"kind\":\"comment\",\"subject\":\"\(comment.commentID)\",\"reason\":\"욕\""
    )
    #expect(hide["ok"] as? Bool == true)
    #expect(try console.received("reports") { $0.rows("rows").isEmpty }.isEmpty)
    #expect(try server.player("나래").read(post).comments.isEmpty)
    for (filter, kind) in [("restored", "post"), ("hiddenByOperator", "comment")] {
      let rows = try console.watch("reports", "\"filter\":\"\(filter)\"").rows("rows")
      #expect(rows.map { $0.text("kind") } == [kind] && rows[0]["waiting"] as? Bool == false)
    }
    let warn = try console.ask(
      "\"act\":\"warn\",\"player\":\"\(id)\",\"kind\":\"comment\",\"subject\":\"\(comment.commentID)\",\"text\":\"욕하지 마세요\""
    )
    #expect(warn["ok"] as? Bool == true)
    #expect(try author.warning().commentID == comment.commentID)
    let audit = try server.audit()
    #expect(audit.map(\.action) == ["restore", "hide", "warn"] && audit.allSatisfy { $0.player == id })
    #expect(audit[1].detail == "comment \(comment.commentID)" && audit[1].entry.reason == "욕")
    #expect(audit[1].address == "127.0.0.1")
  }

  @Test("Pages of the queue go on behind one another")
  func pages() throws {
    let (author, reporter) = (try server.player("가람"), try server.player("나래"))
    for number in 1...23 {
      server.clock.advance(seconds: 4)
      let post = try author.write("\(number)")
      try reporter.expectOk(TestPlayer.report(post))
    }
    let console = try TestConsole(operators)
    let first = try console.watch("reports")
    #expect(first.rows("rows").compactMap { $0.text("title") } == (4...23).reversed().map(String.init))
    let next = try #require(first.text("next"))
    let second = try console.watch("reports", "\"filter\":\"waiting\",\"after\":\"\(next)\"")
    #expect(second.rows("rows").compactMap { $0.text("title") } == ["3", "2", "1"] && second.text("next") == nil)
  }

  @Test("Acts on what is not there, and without words, are refused")
  func refusals() throws {
    let console = try TestConsole(operators)
    let nobody = String(repeating: "7", count: 32)
    for members in [
      "\"act\":\"hide\",\"kind\":\"post\",\"subject\":\"\(nobody)\"",
      "\"act\":\"hide\",\"kind\":\"land\",\"subject\":\"\(nobody)\"",
      "\"act\":\"restore\",\"kind\":\"capsule\",\"subject\":\"x\"",
      "\"act\":\"warn\",\"player\":\"\(nobody)\",\"text\":\"말\"",
      "\"act\":\"warn\",\"player\":\"\(nobody)\"",
      "\"act\":\"warn\",\"player\":\"\(nobody)\",\"kind\":\"post\",\"text\":\"말\"",
    ] { #expect(try console.ask(members)["ok"] as? Bool == false, "\(members)") }
    #expect(try server.audit().isEmpty)
  }

  @Test("Thumbnails come by the operators' listener to who has its proof, and to nobody else")
  func thumbnails() throws {
    let author = try TestPlayer(port: server.port)
    let id = try author.helloID("가람")
    let media = StoredMedia(
      id: MediaID(77),
      owner: id,
      digest: MediaDigest(Array(repeating: 7, count: 32)),
      type: .jpeg,
      width: 40,
      height: 30,
      sizeBytes: 100,
      uploadedAt: Instant(milliseconds: server.clock.now().milliseconds)
    )
    let folder = try TestFolder()
    try folder.write(Array("picture".utf8), to: "thumbnail")
    let kept = Box<Result<Void, StoreFailure>>()
    server.store.putBlobs(media.digest, files: [.thumbnail: folder.file("thumbnail")]) { kept.put($0) }
    try kept.take().get()
    let added = Box<Result<[Outcome], StoreFailure>>()
    server.store.commit(Batch(at: media.uploadedAt, changes: [MediaChange.add(media).change])) { added.put($0) }
    _ = try added.take().get()
    let path = "/media/\(media.id)/thumbnail"
    #expect(try operators.get(path, TestOperators.bearer).status == 404, "nothing refers to it")
    _ = try author.write("글") { $0.media = ["\(media.id)"] }
    let answer = try operators.get(path, try operators.cookie())
    #expect(answer.status == 200 && answer.body == "picture" && answer.head.contains("Content-Type: image/jpeg"))
    #expect(answer.head.contains("Cache-Control: no-store") && answer.head.contains("nosniff"))
    #expect(try operators.get(path).status == 401)
    for wrong in ["/media/\(media.id)/original", "/media/x/thumbnail", "/media/\(MediaID(78))/thumbnail"] {
      #expect(try operators.get(wrong, TestOperators.bearer).status == 404)
    }
  }

  @Test("The length of the queue and the reports are metrics")
  func metrics() throws {
    let author = try server.player("가람")
    let post = try author.write("글")
    for reporter in try server.reporters() { try reporter.expectOk(TestPlayer.report(post)) }
    var metrics = try operators.metrics()
    // The totals are read of the store some seconds later, beside a scrape.
    for _ in 0..<100 where metrics["madang_reported_waiting"] != 1 {
      server.clock.advance(seconds: 6)
      _ = server.report()
      metrics = try operators.metrics()
    }
    #expect(metrics["madang_reports_total{kind=\"POST\"}"] == 3 && metrics["madang_report_hidings_total"] == 1)
    #expect(metrics["madang_reported_waiting"] == 1 && metrics["madang_reported_hidden"] == 1)
  }
}
