// The store's folder for commands beside the server. They read it, also while a server writes, or change it while none
// runs.
import ArgumentParser
import Game
import Glibc
import Store

package struct StoreFolder: ParsableArguments {
  @Option(help: "The data folder (default: MADANG_DATA, or data).")
  var data: String?

  package init() {}

  /// - Throws: `ValidationError` when there is no readable store; a lookup makes none.
  package func path() throws -> String {
    let folder = if let data { data } else { try Settings(file: nil).string(.data) ?? "data" }
    let path = SQLiteStore.path(in: folder)
    try FolderPermission.require(R_OK, of: path)
    guard access(path, R_OK) == 0 else {
      throw ValidationError("no store in the folder \(folder): \(String(cString: strerror(errno))).")
    }
    return folder
  }

  package func open() throws -> SQLiteStore {
    try SQLiteStore(folder: path(), isReadOnly: true)
  }

  /// Opens the store for writing.
  ///
  /// - Throws: `ValidationError` when there is no store, or while a server runs on it.
  func openAlone() throws -> SQLiteStore {
    try SQLiteStore.alone(in: path())
  }
}

/// A game named by a command, with its stored data.
struct NamedGame {
  let stored: StoredGame
  /// The game's journal; nil when it is no longer kept.
  let journal: [UInt8]?

  /// - Throws: `ValidationError` when there is no such game.
  init(_ name: String, in store: SQLiteStore) throws {
    guard let id = GameID(name) else {
      throw ValidationError("\(name) names no game: 32 hexadecimal digits, a hyphen, a number; see madang games.")
    }
    guard let stored = try store.game(id) else { throw ValidationError("there is no finished game \(name).") }
    self.stored = stored
    journal = try store.journal(of: id)
  }
}
