// The column formats of the contract's values: identifiers and digests as bytes, moments as milliseconds, counts and
// flags as integers. Any other content of a column is a decoding error, never a trap. Used on the connection's queue.
import GRDB
import Game

/// Bytes in a column.
struct Blob: DatabaseValueConvertible {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(_ value: UInt128) {
    bytes = withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
  }

  /// The bytes as an identifier's number; nil unless they are 16.
  var identifier: UInt128? {
    var rest = bytes[...]
    return bytes.count == 16 ? rest.takeBigEndian(UInt128.self) : nil
  }

  var databaseValue: DatabaseValue { Self.value(of: bytes, as: DatabaseValue.Storage.blob) }

  /// GRDB holds blobs as Foundation's `Data`, which is not named here.
  private static func value<Held: RangeReplaceableCollection<UInt8> & DatabaseValueConvertible>(
    of bytes: [UInt8],
    as _: (Held) -> DatabaseValue.Storage
  ) -> DatabaseValue {
    Held(bytes).databaseValue
  }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Blob? {
    guard case .blob(let data) = value.storage else { return nil }
    return Blob([UInt8](data))
  }
}

extension WideID {
  package var databaseValue: DatabaseValue { Blob(value).databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    Blob.fromDatabaseValue(value)?.identifier.map { Self($0) }
  }
}

extension PlayerID: DatabaseValueConvertible {}
extension RoomID: DatabaseValueConvertible {}
extension LandID: DatabaseValueConvertible {}
extension ProposalID: DatabaseValueConvertible {}
extension CapsuleID: DatabaseValueConvertible {}
extension FenceID: DatabaseValueConvertible {}
extension WebhookID: DatabaseValueConvertible {}
extension PostID: DatabaseValueConvertible {}
extension CommentID: DatabaseValueConvertible {}
extension MediaID: DatabaseValueConvertible {}
extension PlanID: DatabaseValueConvertible {}
extension PlanStopID: DatabaseValueConvertible {}
extension WarningID: DatabaseValueConvertible {}

extension SchoolID: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { description.databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> SchoolID? {
    String.fromDatabaseValue(value).flatMap { SchoolID($0) }
  }
}

extension SchoolLevel: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { rawValue.databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> SchoolLevel? {
    Int.fromDatabaseValue(value).flatMap(SchoolLevel.init(rawValue:))
  }
}

extension Instant: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { milliseconds.databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Instant? {
    Int64.fromDatabaseValue(value).map(Instant.init(milliseconds:))
  }
}

extension SanctionKind: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { rawValue.databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> SanctionKind? {
    String.fromDatabaseValue(value).flatMap(SanctionKind.init(rawValue:))
  }
}

extension Mode: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { (rawValue + 1).databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Mode? {
    Int.fromDatabaseValue(value).flatMap { Mode(rawValue: $0 &- 1) }
  }
}

extension Database {
  /// Runs a statement, which is prepared once; returns the number of changed rows.
  @discardableResult
  func run(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> Int {
    let changedBefore = totalChangesCount
    try cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    return totalChangesCount - changedBefore
  }

  /// The rows that a query finds.
  func rows(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  /// The first row that a query finds; nil without one.
  func row(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(arguments))
  }

  /// Whether a query finds anything.
  func finds(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> Bool {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(arguments)) != nil
  }
}

extension Row {
  /// A column's value by its place in the query.
  func value<Value: DatabaseValueConvertible>(_ index: Int, _ type: Value.Type = Value.self) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}
