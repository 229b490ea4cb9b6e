// The files of blobs in a folder: their names, and the calls that make them durable. Blocks; any thread, as long as one
// thread at a time changes a name.
import Game
import Glibc

struct BlobFiles: Sendable {
  /// The folder of all blobs, in the store's folder.
  let root: String

  init(in folder: String) { self.init(root: folder + "/media") }

  init(root: String) { self.root = root }

  private func folder(of digest: MediaDigest) -> String { "\(root)/\(digest.text.prefix(2))" }

  func path(of name: BlobName) -> String { "\(folder(of: name.digest))/\(name.fileName)" }

  /// The size of a blob's file; nil where it is not there.
  func byteCount(of name: BlobName) -> Int? {
    var status = stat()
    return stat(path(of: name), &status) == 0 ? Int(status.st_size) : nil
  }

  /// The bytes of a blob; nil where it is not there.
  func bytes(of name: BlobName) throws(StoreFailure) -> [UInt8]? {
    let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw .ofErrno(errno, "opening a blob") }
      return nil
    }
    defer { close(descriptor) }
    let size = byteCount(of: name) ?? 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
    guard bytes.count == size else { throw .io("a blob ends early") }
    return bytes
  }

  /// Moves a finished file to its name, durably; a known blob stays as it is. Returns the bytes that are new.
  func take(_ file: String, as name: BlobName) throws(StoreFailure) -> Int {
    guard byteCount(of: name) == nil else {
      unlink(file)
      return 0
    }
    try makeFolders(of: name.digest)
    try Self.sync(file)
    if rename(file, path(of: name)) != 0 {
      guard errno == EXDEV else { throw .ofErrno(errno, "renaming \(file)") }
      try Self.copy(file, to: path(of: name))
      unlink(file)
    }
    return byteCount(of: name) ?? 0
  }

  /// Copies a file to its name, durably.
  func copy(_ file: String, as name: BlobName) throws(StoreFailure) {
    try makeFolders(of: name.digest)
    try Self.copy(file, to: path(of: name))
    try syncNames(of: name.digest)
  }

  /// Writes bytes to the name of a blob, durably.
  func put(_ bytes: [UInt8], as name: BlobName) throws(StoreFailure) {
    try makeFolders(of: name.digest)
    let partial = path(of: name) + ".partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .ofErrno(errno, "opening \(partial)") }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .ofErrno(errno, "writing \(partial)") }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw .ofErrno(errno, "syncing \(partial)") }
    try Self.move(partial, to: path(of: name))
  }

  private func makeFolders(of digest: MediaDigest) throws(StoreFailure) {
    for folder in [root, folder(of: digest)] where mkdir(folder, 0o700) == 0 { try Self.sync(folder + "/..") }
  }

  /// Makes the names of a digest's files durable.
  func syncNames(of digest: MediaDigest) throws(StoreFailure) {
    try Self.sync(folder(of: digest))
  }

  /// Deletes the files of a digest; returns their bytes.
  func remove(_ digest: MediaDigest) -> Int {
    MediaSize.allCases.map { BlobName(digest, $0) }.reduce(0) { count, name in
      let bytes = byteCount(of: name) ?? 0
      return unlink(path(of: name)) == 0 ? count + bytes : count
    }
  }

  /// All blobs. Other files are left out.
  func names() throws(StoreFailure) -> [BlobName] {
    var names: [BlobName] = []
    for folder in try Self.entries(of: root) where folder.utf8.count == 2 {
      names += try self.names(withPrefix: folder)
    }
    return names
  }

  /// The blobs whose digests begin with two hexadecimal digits.
  func names(withPrefix prefix: String) throws(StoreFailure) -> [BlobName] {
    try Self.entries(of: "\(root)/\(prefix)").compactMap(BlobName.init(fileName:))
  }

  /// The names in a folder; none where it is not there.
  private static func entries(of folder: String) throws(StoreFailure) -> [String] {
    guard let stream = opendir(folder) else {
      guard errno == ENOENT else { throw .ofErrno(errno, "reading the folder \(folder)") }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Copies a file to a new name, which appears when every byte is on the disk.
  static func copy(_ source: String, to target: String) throws(StoreFailure) {
    let partial = target + ".partial"
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw .ofErrno(errno, "opening \(source)") }
    defer { close(input) }
    let output = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw .ofErrno(errno, "opening \(partial)") }
    defer { close(output) }
    while true {
      let count = sendfile(output, input, nil, 1 << 20)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .ofErrno(errno, "copying \(source)") }
      if count == 0 { break }
    }
    guard fsync(output) == 0, rename(partial, target) == 0 else { throw .ofErrno(errno, "writing \(target)") }
  }

  /// Gives a file another name, durably.
  static func move(_ source: String, to target: String) throws(StoreFailure) {
    guard rename(source, target) == 0 else { throw .ofErrno(errno, "renaming \(source)") }
    guard let slash = target.lastIndex(of: "/") else { return try sync(".") }
    try sync(slash == target.startIndex ? "/" : String(target[..<slash]))
  }

  /// Makes a file, or the names in a folder, durable.
  static func sync(_ path: String) throws(StoreFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .ofErrno(errno, "opening \(path)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .ofErrno(errno, "syncing \(path)") }
  }
}

extension MediaDigest {
  private static let digits = Array("0123456789abcdef".utf8)

  /// 64 lower-case hexadecimal digits.
  var text: String {
    String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  init?(text: Substring) {
    let values = text.utf8.compactMap { Self.digits.firstIndex(of: $0).map(UInt8.init) }
    guard text.utf8.count == 64, values.count == 64 else { return nil }
    self.init(stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] })
  }
}

extension BlobName {
  /// The first two digits of the digest, which name the folder of its files.
  package var prefix: String { String(digest.text.prefix(2)) }

  package var fileName: String { "\(digest.text).\(size.rawValue)" }

  fileprivate init?(fileName: String) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let digest = MediaDigest(text: parts[0]), let size = MediaSize(rawValue: String(parts[1]))
    else { return nil }
    self.init(digest, size)
  }
}
