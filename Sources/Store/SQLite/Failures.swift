// What the database's errors stand for in the store's own words. Pure.
import GRDB

extension StoreFailure {
  init(_ error: any Error) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let error as DatabaseError: self.init(error)
    // A column that is not what the schema says.
    case let error as RowDecodingError: self = .corrupt("\(error)")
    default: self = .other("\(error)")
    }
  }

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
