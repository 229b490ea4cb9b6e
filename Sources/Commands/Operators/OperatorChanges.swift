// Changes of operators in a data folder, or by the server that runs on it.
import ArgumentParser
import ConsoleProtocol
import Net
import OperatorAccounts
import Store

/// A secret that a command prints once, and nothing else ever shows.
enum ShownSecret {
  case nothing
  case link(OperatorSecret)
  case token(OperatorSecret)
}

extension WritableStoreFolder {
  /// Changes operators, and prints what was done. The row of the audit log comes before the file, so that the log has
  /// every change.
  func changeOperators(
    _ act: String,
    _ members: [UInt8],
    detail: String,
    _ done: String,
    _ change: (inout OperatorBook) throws(OperatorRefusal) -> ShownSecret
  ) async throws {
    let (list, folder) = (try openOrFindServer(), try path())
    defer { list.store.close() }
    switch list {
    case .server(let feed, _):
      let reply = try feed.reply(to: act, members)
      print(reply.text.printable(2_000))
      if reply.hasLink { print(reply.link.printable(2_000)) }
      if reply.hasToken { print(reply.token.printable(2_000)) }
    case .store(let store):
      do {
        var book = try OperatorBook(inFolder: folder)
        let shown = try change(&book)
        try await record(act, detail, in: store)
        try OperatorBook.file(in: folder).write(book.text)
        print(done)
        switch shown {
        case .nothing: break
        case .link(let secret): print(try address(ofLink: secret))
        case .token(let secret): print(secret.text)
        }
      } catch let refusal as OperatorRefusal {
        throw ValidationError("nothing is changed: \(refusal).")
      } catch let fault as OperatorFileFault {
        throw ValidationError("nothing is changed: \(fault).")
      }
    }
  }

  /// Ends sessions that fit, and prints what was done.
  func endSessions(
    _ members: [UInt8],
    detail: String,
    _ fits: (OperatorSession) -> Bool
  ) async throws {
    let list = try openOrFindServer()
    defer { list.store.close() }
    switch list {
    case .server(let feed, _): print(try feed.act("endSession", members))
    case .store(let store):
      let folder = try path()
      do throws(OperatorFileFault) {
        var sessions = try OperatorSessions.read(inFolder: folder)
        let count = sessions.count
        sessions.removeAll(where: fits)
        guard sessions.count < count else { return print("there is no such session") }
        try OperatorSessions.file(in: folder).write(OperatorSessions.text(of: sessions))
        print("\(count - sessions.count) ended")
      } catch {
        throw ValidationError("\(error).")
      }
      try await record("endSession", detail, in: store)
    }
  }

  private func record(_ act: String, _ detail: String, in store: SQLiteStore) async throws {
    guard try await store.commit(AuditEntry.byCommand(act, detail)) == .ok else {
      throw ValidationError("nothing is changed: the store is damaged there; see madang check.")
    }
  }

  /// The address of a link at a server that does not run now: where its settings are in variables, as they say.
  private func address(ofLink secret: OperatorSecret) throws -> String {
    let settings = try Settings(file: nil)
    if let origin = settings.string(.adminOrigin) { return "\(origin)/join#\(secret.text)" }
    guard let port = try settings.int(.adminPort, in: 0...65_535), port > 0 else {
      return "/join#\(secret.text)\nbehind the address that the server prints with --admin-port, without its token"
    }
    let host = settings.string(.adminHost) ?? "127.0.0.1"
    let reachable = IPAddress(host).map { "\(SocketAddress(ip: $0, port: UInt16(port)).reachable)" }
    return "http://\(reachable ?? "\(host):\(port)")/join#\(secret.text)"
  }
}
