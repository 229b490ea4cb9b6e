// The files of uploads while they come: one for each ticket, in a folder of their own.
//
// One queue writes them, so that no shard waits for a disk. A file is written piece by piece where its upload stands,
// and is worth nothing before it is whole: nothing here is synced. Each life of the server has a folder of its own, and
// deletes those of earlier ones: a program that has outlived its server by a moment finds no place to write to.
import Cryptography
import Dispatch
import Glibc
import Net
import Synchronization

final class UploadFolder: Sendable {
  /// This life's folder.
  let path: String
  private let queue = DispatchQueue(label: "madang.uploads", qos: .utility)

  /// Makes a folder inside `root`, and deletes those of earlier lives; nil where that can't be done.
  init?(in root: String) {
    path = "\(root)/\(Self.prefix)\(Hexadecimal.encode(RandomBytes.make(count: 8)))"
    guard mkdir(root, 0o700) == 0 || errno == EEXIST else { return nil }
    // Others' files stay.
    for name in Self.names(in: root) where name.hasPrefix(Self.prefix) {
      let old = "\(root)/\(name)"
      // A program may still write a file; then it does not finish another one.
      for _ in 0..<10 {
        for file in Self.names(in: old) { unlink("\(old)/\(file)") }
        if rmdir(old) == 0 { break }
      }
    }
    guard mkdir(path, 0o700) == 0 else { return nil }
  }

  /// The names in a folder; none where it can't be read.
  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The beginning of all names.
  static let prefix = "upload-"

  /// A file; it is opened with its first write.
  func file(_ name: String, _ held: HeldFile) -> UploadFile { UploadFile("\(path)/\(name)", held) }

  func run(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  func delete(_ names: [String]) {
    guard !names.isEmpty else { return }
    queue.async { [path] in for name in names { unlink("\(path)/\(name)") } }
  }
}

/// The file of one upload. Used on the folder's queue only.
final class UploadFile: Sendable {
  private let path: String
  private let held: HeldFile
  private let descriptor = Atomic<Int32>(-1)
  private let refused = Atomic<Bool>(false)

  /// A piece was refused, so the request has its answer.
  var isRefused: Bool {
    get { refused.load(ordering: .relaxed) }
    set { refused.store(newValue, ordering: .relaxed) }
  }

  init(_ path: String, _ held: HeldFile) { (self.path, self.held) = (path, held) }

  deinit {
    let descriptor = descriptor.load(ordering: .relaxed)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Writes bytes from `offset` on; false where the disk does not take them.
  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    var descriptor = descriptor.load(ordering: .relaxed)
    if descriptor < 0 { descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
    self.descriptor.store(descriptor, ordering: .relaxed)
    guard descriptor >= 0 else { return false }
    // A new beginning forgets what was there.
    if offset == 0, ftruncate(descriptor, 0) != 0 { return false }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + written))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
