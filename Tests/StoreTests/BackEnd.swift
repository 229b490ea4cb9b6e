// The back ends that the contract is proved over, and the calls of the contract as a test says them. A test owns its
// store and its folder, which are gone with it.
import Game
import Glibc
import Store
import StoreDoubles
import Testing

/// Every store that keeps the contract.
enum BackEnd: CaseIterable, CustomTestStringConvertible {
  case memory
  case sqlite

  var testDescription: String {
    switch self {
    case .memory: "in memory"
    case .sqlite: "SQLite"
    }
  }

  /// A new store, for as long as `body` runs.
  func withStore(_ body: (any Store) async throws -> Void) async throws {
    switch self {
    case .memory:
      let store = MemoryStore()
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

/// A folder that is gone with its last holder.
final class TestFolder: Sendable {
  let path: String

  struct Failure: Error {
    let errno: Int32
  }

  init() throws {
    var template = Array("/tmp/madang-store-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(errno: errno) }
    path = String(cString: made)
  }

  deinit {
    for name in names { unlink(path + "/" + name) }
    rmdir(path)
  }

  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// What the check says, but of rooms' journals, which are no real ones in most tests.
  var complaints: [String] {
    get throws { try SQLiteStore.check(folder: path).filter { !$0.hasPrefix("room ") } }
  }

  func read(_ name: String) -> [UInt8] {
    let descriptor = open(path + "/" + name, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
  }

  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }
}

extension Store {
  /// Commits and waits for the outcomes.
  @discardableResult
  func commit(
    at milliseconds: Int64 = 0,
    _ chunks: [(RoomID, [UInt8])] = [],
    _ changes: any ChangeFamily...
  ) async throws -> [Outcome] {
    var segment = Segment()
    for (room, chunk) in chunks { segment.append(room) { $0 += chunk } }
    let rows = changes.map { $0.change }
    return try await commit(Batch(at: Instant(milliseconds: milliseconds), segments: [segment], changes: rows))
  }

  @discardableResult
  func commit(_ batch: Batch) async throws -> [Outcome] {
    try await withCheckedContinuation { waiting in commit(batch) { waiting.resume(returning: $0) } }.get()
  }

  /// One change alone, and what comes of it.
  @discardableResult
  func change<Family: ChangeFamily>(
    at milliseconds: Int64 = 0,
    _ change: Family
  ) async throws -> Family.FamilyOutcome {
    Family.outcome(in: try #require(try await commit(at: milliseconds, [], change).first))
  }

  /// Maintains the store; what was set aside.
  @discardableResult
  func maintain(
    at milliseconds: Int64 = 0,
    keepJournals: Duration = .seconds(604_800)
  ) async throws -> [DamagedSegment] {
    let now = Instant(milliseconds: milliseconds)
    return try await withCheckedContinuation { waiting in
      maintain(at: now, keepJournals: keepJournals) { waiting.resume(returning: $0) }
    }.get()
  }

  /// Erases what is left of a player who is marked for it.
  func erase(_ player: PlayerID) async throws {
    try await withCheckedContinuation { waiting in erase(player) { waiting.resume(returning: $0) } }.get()
  }

  /// Deletes a player, and waits until nothing is left of them.
  func delete(_ player: PlayerID, at milliseconds: Int64 = 9) async throws {
    #expect(try await change(DeletionChange.finish(player, at: moment(milliseconds))) == .ok)
    try await erase(player)
  }

  func results(of player: PlayerID, before cursor: ResultCursor? = nil, limit: Int = 100) async throws -> [ResultRow] {
    try await withCheckedContinuation { waiting in
      results(of: player, before: cursor, limit: limit) { waiting.resume(returning: $0) }
    }.get()
  }

  func totals(of player: PlayerID, in ranges: [Range<Int64>]) async throws -> [Totals] {
    let moments = ranges.map { Instant(milliseconds: $0.lowerBound)..<Instant(milliseconds: $0.upperBound) }
    return try await withCheckedContinuation { waiting in
      totals(of: player, in: moments) { waiting.resume(returning: $0) }
    }.get()
  }

  func badges(of player: PlayerID) async throws -> [AwardedBadge] {
    try await withCheckedContinuation { waiting in badges(of: player) { waiting.resume(returning: $0) } }.get()
  }

  func password(ofEmail email: String) async throws -> StoredPassword? {
    try await withCheckedContinuation { waiting in password(ofEmail: email) { waiting.resume(returning: $0) } }.get()
  }

  func password(of player: PlayerID) async throws -> StoredPassword? {
    try await withCheckedContinuation { waiting in password(of: player) { waiting.resume(returning: $0) } }.get()
  }

  func liveRooms() throws -> [StoredRoom] {
    var rooms: [StoredRoom] = []
    try liveRooms { rooms.append($0) }
    return rooms.sorted { $0.row.id < $1.row.id }
  }
}
