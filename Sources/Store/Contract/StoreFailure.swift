// Why the store could not do what was asked. A plain value, told to operators as it describes itself.

/// Why nothing was done.
package enum StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The disk is full, or the data folder has reached the operator's bound.
  case full
  /// The folder or the file can't be written, or the store was opened for reading only.
  case readOnly
  /// A file was moved, deleted or replaced while it was open; its path.
  case gone(String)
  /// Another process has the folder; its identifier as far as it is known.
  case locked(pid: Int?)
  /// What was read can't be true.
  case corrupt(String)
  /// A newer program has written this.
  case newerSchema(found: Int, known: Int)
  /// The disk failed.
  case io(String)
  case other(String)

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
