// What the database's errors stand for in the store's own words. Pure.
import GRDB

extension StoreFailure {
  init(_ error: any Error) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let error as DatabaseError: self.init(error)
    // A column that is not what the schema says. The error itself has the whole row, which is nobody's to read.
    case let damage as UnreadableSegment: self = .corrupt("segment \(damage.number) can't be read")
    case is RowDecodingError: self = .corrupt("a column is not what it should be")
    default: self = .other("\(error)")
    }
  }

  /// Whether what is stored is at fault: neither the disk that it is to be stored on, nor something that passes by
  /// itself.
  static func isDamage(_ error: any Error) -> Bool {
    if let error = error as? DatabaseError, passing.contains(error.resultCode) { return false }
    return switch StoreFailure(error) {
    case .corrupt, .other: true
    case .full, .readOnly, .gone, .locked, .newerSchema, .io: false
    }
  }

  /// What the same work may not meet the next time. `ABORT` is what is left to say of a transaction that has ended over
  /// one of the others.
  private static let passing: [ResultCode] = [
    .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_ABORT,
  ]

  private init(_ error: DatabaseError) {
    let what = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL: self = .full
    case .SQLITE_READONLY: self = .readOnly
    case .SQLITE_IOERR, .SQLITE_CANTOPEN: self = .io("\(what) (\(error.extendedResultCode.rawValue))")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(what)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .other("the store is busy: \(what)")
    default: self = .other("\(error)")
    }
  }
}
