// The failures of a store. A plain value whose description is shown to operators.

/// The reason why nothing was done. A back end translates its own errors into these.
package enum StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// No space is left for the data, or the operator's bound is reached. It passes when there is space again.
  case full
  /// The store can't be written, or it was opened for reading only.
  case readOnly
  /// The data is no longer where it was opened, so nothing written now would be found again; the place, as operators
  /// name it. It passes when the data is back. A back end without files of its own never gives it.
  case gone(String)
  /// Another server has opened the same data for writing: data has one writer. Its process, where that is on this
  /// machine and known.
  case locked(pid: Int?)
  /// The stored data is damaged. An operator must act.
  case corrupt(String)
  /// A newer program has written the store, with a schema version that this one does not know.
  case newerSchema(found: Int, known: Int)
  /// Reading or writing failed below the store: a disk, or the way to a database elsewhere. It may pass.
  case io(String)
  /// Any other cause: the store is closed or busy, or a caller's closure has failed.
  case other(String)

  /// Wraps an error of a caller's closure: a `StoreFailure` as it is, any other as `.other`.
  package init(ofCaller error: any Error) {
    self = error as? StoreFailure ?? .other("\(error)")
  }

  package var description: String {
    switch self {
    case .full: "the store has no space left, or has reached its bound"
    case .readOnly: "the store can't be written"
    case .gone(let path): "\(path) was moved, deleted or replaced under the server, which writes nowhere else"
    case .locked(let pid): "another process\(pid.map { " (\($0))" } ?? "") has this data folder"
    case .corrupt(let what): "the store is damaged: \(what)"
    case .newerSchema(let found, let known):
      "the store was written by a newer version (schema \(found), this one knows up to \(known))"
    case .io(let what): "the disk failed: \(what)"
    case .other(let what): what
    }
  }
}
