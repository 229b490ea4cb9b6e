// The back ends that the contract is proved over. A test owns its store and its folder, which are deleted with it.
import Game
import Store
import StoreDoubles
import TestSupport
import Testing

/// Every store that keeps the contract.
enum BackEnd: CaseIterable, CustomTestStringConvertible {
  case memory
  case sqlite
  /// The forwarding double in front of the store in memory.
  case forwarding

  var testDescription: String {
    switch self {
    case .memory: "in memory"
    case .sqlite: "SQLite"
    case .forwarding: "forwarding"
    }
  }

  /// Provides a new store while `body` runs.
  func withStore(_ body: (any Store) async throws -> Void) async throws {
    switch self {
    case .memory:
      let store = MemoryStore()
      try await body(store)
      store.close()
    case .forwarding:
      let store = Forwarder()
      try await body(store)
      store.close()
    case .sqlite:
      let folder = try TestFolder()
      let store = try SQLiteStore(folder: folder.path)
      try await body(store)
      store.close()
      #expect(try folder.complaints == [])
    }
  }
}

/// Provides a new store with a bound on the pending events of a target of webhooks while `body` runs.
func withStore(inMemory: Bool, webhookBytesMax: Int, _ body: (any Store) async throws -> Void) async throws {
  if inMemory { return try await body(MemoryStore(webhookBytesMax: webhookBytesMax)) }
  let folder = try TestFolder()
  let store = try SQLiteStore(folder: folder.path, webhookBytesMax: webhookBytesMax)
  try await body(store)
  store.close()
  #expect(try folder.complaints == [])
}

private struct Forwarder: ForwardingStore {
  let inner: any Store = MemoryStore()
}
