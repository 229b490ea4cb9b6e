// Destinations by the names that operators give them: a folder, or `s3://BUCKET/PREFIX`.
import Game
import Glibc

package enum CopyPlace {
  private static let bucketScheme = "s3://"

  package static func isBucket(_ text: String) -> Bool { text.hasPrefix(bucketScheme) }

  /// Whether a copy lies on the disk of the data, and is lost with it; false for a bucket, and where nobody can see it.
  package static func isOnDisk(of data: String, _ text: String) -> Bool {
    guard !isBucket(text), let disk = disk(of: data) else { return false }
    return disk == self.disk(of: text)
  }

  /// The disk of a folder, which may have to be made yet: then that of the one around it.
  private static func disk(of folder: String) -> dev_t? {
    var path = folder
    while true {
      var status = stat()
      if stat(path, &status) == 0 { return status.st_dev }
      guard errno == ENOENT, path != "/", path != "." else { return nil }
      path = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
  }

  /// The destination that a text names. `bucketSettings` is asked for where it is a bucket.
  ///
  /// - Throws: `CopyFailure` for a URL of a kind that no copy goes to, and for a bucket that can't be used.
  package static func destination(
    _ text: String,
    now: @escaping @Sendable () -> Instant,
    bucketSettings: () throws(CopyFailure) -> S3Destination.Settings
  ) throws(CopyFailure) -> any CopyDestination {
    if isBucket(text) {
      let name = text.dropFirst(bucketScheme.count)
      let bucket = name.prefix { $0 != "/" }
      return try S3Destination(
        bucket: String(bucket),
        prefix: String(name.dropFirst(bucket.count)),
        try bucketSettings(),
        now: now
      )
    }
    guard !text.contains("://") else {
      throw CopyFailure("a copy goes to a folder or to s3://BUCKET/PREFIX, not \(text)")
    }
    return FolderDestination(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
  }
}
