// The store's folder for commands that write it while no server runs, or have the running server write it.
import ArgumentParser
import Foundation
import Store

struct WritableStoreFolder: ParsableArguments {
  @Option(help: "The data folder; made if missing (default: MADANG_DATA, or data).")
  var data: String?

  /// - Throws: `ValidationError` while a server runs on it, or when the folder can't be made.
  func open() throws -> SQLiteStore {
    try SQLiteStore.alone(in: path())
  }

  /// The store, or the feed of the server that runs on it.
  ///
  /// - Throws: `ValidationError` while a server without an operators' listener runs on it, or when the folder can't be
  ///   made.
  func openOrFindServer() throws -> OpenedList { try OpenedList(inFolder: path()) }

  /// The folder, made if missing.
  func path() throws -> String {
    let folder = if let data { data } else { try Settings(file: nil).string(.data) ?? "data" }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ValidationError("can't make the folder \(folder): \(error.localizedDescription)")
    }
    return folder
  }
}

/// The place where a command imports a list, or changes something else.
enum OpenedList {
  /// No server runs: the command writes the store.
  case store(SQLiteStore)
  /// A server runs: it imports the list, and the command reads the store beside it.
  case server(FeedClient, SQLiteStore)

  /// - Throws: `ValidationError` while a server without an operators' listener runs on the folder.
  init(inFolder folder: String) throws {
    do throws(StoreFailure) {
      self = .store(try SQLiteStore(folder: folder))
      return
    } catch {
      guard case .locked = error else { throw error }
    }
    guard let link = try? OperatorLink(inFolder: folder) else {
      throw ValidationError(
        "a server without --admin-port is running on the folder \(folder); stop it first, or start it with --admin-port."
      )
    }
    self = .server(try FeedClient(link), try SQLiteStore(folder: folder, isReadOnly: true))
  }

  /// The store, which only the first case may write.
  var store: SQLiteStore {
    switch self {
    case .store(let store), .server(_, let store): store
    }
  }
}

extension SQLiteStore {
  /// Opens the store of a folder for writing.
  ///
  /// - Throws: `ValidationError` while a server runs on it.
  static func alone(in folder: String) throws -> SQLiteStore {
    do throws(StoreFailure) {
      return try SQLiteStore(folder: folder)
    } catch {
      guard case .locked = error else { throw error }
      throw ValidationError("a server is running on the folder \(folder); stop it first.")
    }
  }

  /// Commits one change, with its row of the audit log, and waits for its outcome.
  func commit<Family: ChangeFamily>(_ change: Family) async throws -> Family.FamilyOutcome {
    // No server is alive now, and the commit must not make a clock look right that a start would not believe.
    let at = try lastAliveAt ?? .now
    let outcomes = try await withCheckedContinuation { waiting in
      commit(Batch(at: at, changes: [change.change])) { waiting.resume(returning: $0) }
    }.get()
    return Family.outcome(in: outcomes[0])
  }
}
