// Small text files, read whole.
import Glibc

enum TextFile {
  private static let byteCountMax = 64 * 1_024

  static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw BenchFailure(description: "\(path): can't be read") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: byteCountMax)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
