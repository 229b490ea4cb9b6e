// Maps the database's errors to `StoreFailure`. Pure.
import GRDB

extension StoreFailure {
  init(_ error: any Error) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let error as DatabaseError: self.init(error)
    // The error itself has the whole row, which nobody may read.
    case let damage as UnreadableSegment: self = .corrupt("segment \(damage.number) can't be read")
    case is RowDecodingError: self = .corrupt("a column is not what it should be")
    default: self = .other("\(error)")
    }
  }

  /// Whether an error means damaged data: neither a failure of the disk nor a condition that passes by itself.
  static func isDamage(_ error: any Error) -> Bool {
    if let error = error as? DatabaseError, passing.contains(error.resultCode) { return false }
    return switch StoreFailure(error) {
    case .corrupt, .other: true
    case .full, .readOnly, .gone, .locked, .newerSchema, .io: false
    }
  }

  /// Errors that a retry may not meet. `ABORT` follows when one of the others has ended the transaction.
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
