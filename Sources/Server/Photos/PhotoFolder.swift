// The folder of photos: for each country a file with its photo and what is known of it, and the day's use of the
// source.
//
// Blocks; used at the start, and then on the thread of photos. A file is written beside its place, synced and renamed,
// so a crash leaves the old one or the new one. What can't be read is left out, and fetched anew.
// Decisions: 124 (docs/decisions).
import Cryptography
import Game
import Glibc
import Store

/// The facts of a kept photo.
struct KeptPhoto: Equatable, Sendable {
  /// The day of UTC on which it was fetched.
  let day: Int64
  let type: MediaType
  /// The digest of its bytes, in hexadecimal digits.
  let digest: String
  let byteCount: Int
  /// One line; empty for none.
  let attribution: String

  /// The entity tag in HTTP, in its quotes.
  var tag: String { "\"\(digest.prefix(32))\"" }
}

struct PhotoFolder: Sendable {
  let path: String

  private static let format = "madang-photo 1"
  private static let headBytesMax = 4_096
  private static let useFile = "use"
  /// More than a day has; so a damaged file is none.
  private static let requestsMax = 1_000_000_000

  /// Makes the folder; nil where that can't be done.
  init?(_ path: String) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST, access(path, W_OK | X_OK) == 0 else { return nil }
    self.path = path
  }

  // Photos.

  /// The photo of a country; nil where there is none.
  func photo(of country: CountryCode) -> KeptPhoto? { open(country)?.photo }

  /// Opens the file of a country's photo; nil where there is none.
  func open(_ country: CountryCode) -> PhotoFile? {
    let descriptor = Glibc.open(file(country), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let head = Self.bytes(of: descriptor, 0, Self.headBytesMax)
    var status = stat()
    guard let (photo, offset) = Self.read(head), fstat(descriptor, &status) == 0,
      Int(status.st_size) - offset == photo.byteCount
    else {
      close(descriptor)
      return nil
    }
    return PhotoFile(photo, descriptor, offset: offset)
  }

  /// Keeps a cleaned picture, a file anywhere, as a country's photo; nil where the disk does not take it.
  func keep(_ picture: String, _ type: MediaType, of country: CountryCode, on day: Int64, by attribution: String)
    -> KeptPhoto?
  {
    let descriptor = Glibc.open(picture, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
    let bytes = Self.bytes(of: descriptor, 0, Int(status.st_size))
    guard bytes.count == Int(status.st_size) else { return nil }
    let photo = KeptPhoto(
      day: day,
      type: type,
      digest: Hexadecimal.encode(Digest.sha256(bytes)),
      byteCount: bytes.count,
      attribution: attribution
    )
    return replace(file(country), Self.head(of: photo) + bytes) ? photo : nil
  }

  private func file(_ country: CountryCode) -> String { "\(path)/\(country).photo" }

  private static func head(of photo: KeptPhoto) -> [UInt8] {
    let lines = [
      format, "\(photo.day)", photo.type.name, photo.digest, "\(photo.byteCount)", photo.attribution, "",
    ]
    return Array(lines.map { "\($0)\n" }.joined().utf8)
  }

  /// Reads a head, and where it ends.
  private static func read(_ bytes: [UInt8]) -> (KeptPhoto, offset: Int)? {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 7, omittingEmptySubsequences: false)
    guard parts.count == 8, parts[6].isEmpty else { return nil }
    let lines = parts.prefix(6).map { String(decoding: $0, as: UTF8.self) }
    guard lines[0] == format, let day = Int64(lines[1]),
      let type = MediaType.allCases.first(where: { $0.name == lines[2] }),
      let byteCount = Int(lines[4]), byteCount > 0
    else { return nil }
    let photo = KeptPhoto(day: day, type: type, digest: lines[3], byteCount: byteCount, attribution: lines[5])
    return (photo, parts[7].startIndex)
  }

  // The day's use.

  /// The use as it was noted last; nil where nothing is noted.
  func use() -> PhotoUse? {
    let descriptor = Glibc.open("\(path)/\(Self.useFile)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = String(decoding: Self.bytes(of: descriptor, 0, Self.headBytesMax), as: UTF8.self)
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.count >= 2, let day = Int64(words[0]), let requests = Int(words[1]),
      (0...Self.requestsMax).contains(requests)
    else { return nil }
    var (missing, attempts): (Set<CountryCode>, [CountryCode: PhotoUse.Attempts]) = ([], [:])
    for word in words.dropFirst(2) {
      // A country, or one and its attempts: `KR:2`.
      let parts = word.split(separator: ":")
      guard let first = parts.first, let country = CountryCode(first) else { continue }
      if parts.count == 1 { missing.insert(country) }
      if parts.count == 2, let count = Int(parts[1]), (1...PhotoUse.Attempts.max).contains(count) {
        attempts[country] = PhotoUse.Attempts(count: count)
      }
    }
    return PhotoUse(day: day, requests: requests, missing: missing, attempts: attempts)
  }

  /// Notes the use; false where the disk does not take it.
  func note(_ use: PhotoUse) -> Bool {
    let attempts = use.attempts.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.count)" }
    let words = ["\(use.day)", "\(use.requests)"] + use.missing.sorted().map(\.description) + attempts
    return replace("\(path)/\(Self.useFile)", Array("\(words.joined(separator: " "))\n".utf8))
  }

  // Files.

  /// Writes a file that appears whole.
  private func replace(_ file: String, _ bytes: [UInt8]) -> Bool {
    let new = file + ".new"
    guard Self.write(bytes, to: new), rename(new, file) == 0 else {
      unlink(new)
      return false
    }
    // So that the rename outlives a power cut too.
    let folder = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return false }
    defer { close(folder) }
    return fsync(folder) == 0
  }

  static func write(_ bytes: [UInt8], to file: String) -> Bool {
    let descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return fsync(descriptor) == 0
  }

  fileprivate static func bytes(of descriptor: Int32, _ offset: Int, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }
}

/// An open file of a photo. Any thread; a new photo of the country changes nothing in it.
final class PhotoFile: Sendable {
  let photo: KeptPhoto
  private let descriptor: Int32
  private let offset: Int

  fileprivate init(_ photo: KeptPhoto, _ descriptor: Int32, offset: Int) {
    (self.photo, self.descriptor, self.offset) = (photo, descriptor, offset)
  }

  deinit { close(descriptor) }

  /// Bytes of the picture; fewer where the disk fails.
  func read(_ range: Range<Int>) -> [UInt8] {
    PhotoFolder.bytes(of: descriptor, offset + range.lowerBound, range.count)
  }
}
