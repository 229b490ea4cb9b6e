// Why the store could not do what was asked. A plain value, told to operators as it describes itself.

/// Why nothing was done. A back end says each of its own errors in these terms.
package enum StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no room: none at all, or none within the operator's bound. It passes when there is.
  case full
  /// The store can't be written, or it was opened for reading only.
  case readOnly
  /// What was opened is no longer where it was, so nothing that is written now would be found again; its place. It
  /// passes when it is back.
  case gone(String)
  /// Another process has opened the same data for writing; its identifier as far as it is known.
  case locked(pid: Int?)
  /// What was read can't be true. An operator must act.
  case corrupt(String)
  /// A newer program has written this, with a schema version that this one does not know.
  case newerSchema(found: Int, known: Int)
  /// Reading or writing failed below the store. It may pass.
  case io(String)
  /// Any other cause: the store is closed or busy, or what it called back has failed.
  case other(String)

  /// Why an error of a caller's own closure ends a call: a failure of a store as it is, any other as `.other`.
  package init(ofCaller error: any Error) {
    self = error as? StoreFailure ?? .other("\(error)")
  }

  package var description: String {
    switch self {
    case .full: "the disk is full, or the data folder has reached its bound"
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
