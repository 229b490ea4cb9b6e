// A source of photos that is a folder of the operator's: `kr.jpg` for a country, and `kr.txt` with its attribution.
//
// Blocks; used on the thread of photos. A changed file is taken on the next day that somebody asks for it.
import Game
import Glibc

package struct FolderPhotoSource: PhotoSource {
  private static let extensions = ["jpg", "jpeg", "png", "webp", "heic"]
  private static let attributionBytesMax = 4_096

  private let folder: String
  /// The attribution of photos without one of their own.
  private let attribution: String

  package init(folder: String, attribution: String) {
    self.folder = folder
    self.attribution = attribution
  }

  package var requestsMin: Int { 0 }

  package func find(_ errand: PhotoErrand, _ completion: @escaping @Sendable (Result<FoundPhoto, PhotoFailure>) -> Void)
  {
    let code = errand.country.code.description
    for name in [code.lowercased(), code] {
      for ending in Self.extensions {
        guard let bytes = Self.bytes(of: "\(folder)/\(name).\(ending)", most: FoundPhoto.bytesMax) else { continue }
        let own = Self.bytes(of: "\(folder)/\(name).txt", most: Self.attributionBytesMax)
        let attribution = own.map { String(decoding: $0, as: UTF8.self) } ?? attribution
        return completion(.success(FoundPhoto(bytes: bytes, attribution: attribution)))
      }
    }
    completion(.failure(.noPhoto("the folder has no file \(code.lowercased()).jpg")))
  }

  /// The bytes of a regular file; nil for anything else, and for a longer one.
  private static func bytes(of file: String, most: Int) -> [UInt8]? {
    let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= most else {
      return nil
    }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
    }
    return bytes.count == size ? bytes : nil
  }
}
