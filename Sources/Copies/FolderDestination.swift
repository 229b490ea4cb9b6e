// A copy in a folder: of another disk, or of another machine that is mounted. Blocks.
import Glibc

package struct FolderDestination: CopyDestination {
  private static let partialSuffix = ".partial"
  private let root: String

  /// The folder is made with the first file, if the folder around it is there.
  package init(_ root: String) {
    self.root = root
  }

  package func put(_ name: String, _ bytes: [UInt8]) throws(CopyFailure) {
    try makeFolders(of: name)
    let partial = path(name) + Self.partialSuffix
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .ofErrno("opening \(partial)") }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .ofErrno("writing \(partial)") }
      written += count
    }
    guard fsync(descriptor) == 0 else { throw .ofErrno("syncing \(partial)") }
    guard rename(partial, path(name)) == 0 else { throw .ofErrno("renaming \(partial)") }
    try sync(folder(of: name))
  }

  package func get(_ name: String) throws(CopyFailure) -> [UInt8] {
    guard let bytes = try find(name) else { throw .ofErrno("opening \(path(name))") }
    return bytes
  }

  package func find(_ name: String) throws(CopyFailure) -> [UInt8]? {
    let descriptor = open(path(name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .ofErrno("opening \(path(name))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .ofErrno("reading \(path(name))") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  package func entries(in folder: String) throws(CopyFailure) -> CopyEntries {
    guard let stream = opendir(path(folder)) else {
      guard errno == ENOENT, isThere else { throw .ofErrno("reading the folder \(path(folder))") }
      return CopyEntries()
    }
    defer { closedir(stream) }
    var entries = CopyEntries()
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard !name.hasPrefix("."), !name.hasSuffix(Self.partialSuffix) else { continue }
      if isFolder("\(path(folder))/\(name)") { entries.folders.append(name) } else { entries.files.append(name) }
    }
    entries.folders.sort()
    entries.files.sort()
    return entries
  }

  package func delete(_ name: String) throws(CopyFailure) {
    guard unlink(path(name)) == 0 || errno == ENOENT else { throw .ofErrno("deleting \(path(name))") }
    // A folder goes with its last file.
    rmdir(path(folder(of: name)))
  }

  private var isThere: Bool { access(root, F_OK) == 0 }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func path(_ name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }

  private func folder(of name: String) -> String {
    name.lastIndex(of: "/").map { String(name[..<$0]) } ?? ""
  }

  private func makeFolders(of name: String) throws(CopyFailure) {
    var folder = ""
    for part in [""] + name.split(separator: "/").dropLast().map(String.init) {
      folder = folder.isEmpty ? part : "\(folder)/\(part)"
      if mkdir(path(folder), 0o700) == 0 {
        try sync(folder.isEmpty ? ".." : self.folder(of: folder))
      } else if errno != EEXIST {
        throw .ofErrno("making the folder \(path(folder))")
      }
    }
  }

  /// Makes the names in a folder durable.
  private func sync(_ folder: String) throws(CopyFailure) {
    let descriptor = open(path(folder), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .ofErrno("opening \(path(folder))") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .ofErrno("syncing \(path(folder))") }
  }
}

extension CopyFailure {
  fileprivate static func ofErrno(_ what: String) -> CopyFailure {
    CopyFailure("\(what): \(String(cString: strerror(errno)))")
  }
}
