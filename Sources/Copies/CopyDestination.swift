// The place of a copy: files by names with slashes, in a folder or a bucket. Calls block; each name has one writer.

package protocol CopyDestination: Sendable {
  /// Writes a file, or replaces it. It is there as a whole or not at all, and survives a crash of the machine.
  func put(_ name: String, _ bytes: [UInt8]) throws(CopyFailure)

  /// The bytes of a file.
  func get(_ name: String) throws(CopyFailure) -> [UInt8]

  /// The bytes of a file; nil where it is not there.
  func find(_ name: String) throws(CopyFailure) -> [UInt8]?

  /// The names right in a folder, sorted; none where it is not there. The folder's own name has no slash at its end.
  func entries(in folder: String) throws(CopyFailure) -> CopyEntries

  /// Deletes a file; one that is not there is deleted already.
  func delete(_ name: String) throws(CopyFailure)
}

/// The names in a folder of a copy.
package struct CopyEntries: Hashable, Sendable {
  package var folders: [String]
  package var files: [String]

  package init(folders: [String] = [], files: [String] = []) {
    (self.folders, self.files) = (folders, files)
  }
}

/// The reason why a copy could not be written or read, for operators. It may pass.
package struct CopyFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether files of one generation are at fault, and another generation may serve.
  let isOfGeneration: Bool

  package init(_ description: String) {
    (self.description, isOfGeneration) = (description, false)
  }

  /// The fault of a generation.
  static func ofGeneration(_ description: String) -> CopyFailure {
    CopyFailure(description, isOfGeneration: true)
  }

  private init(_ description: String, isOfGeneration: Bool) {
    (self.description, self.isOfGeneration) = (description, isOfGeneration)
  }
}
