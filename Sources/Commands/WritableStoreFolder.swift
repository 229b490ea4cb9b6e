// The store's folder for commands that write it while no server runs.
import ArgumentParser
import Foundation
import Store

struct WritableStoreFolder: ParsableArguments {
  @Option(help: "The data folder; made if missing (default: MADANG_DATA, or data).")
  var data: String?

  /// - Throws: `ValidationError` while a server runs on it, or when the folder can't be made.
  func open() throws -> SQLiteStore {
    let folder = if let data { data } else { try Settings(file: nil).string(.data) ?? "data" }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ValidationError("can't make the folder \(folder): \(error.localizedDescription)")
    }
    return try SQLiteStore.alone(in: folder)
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
}
