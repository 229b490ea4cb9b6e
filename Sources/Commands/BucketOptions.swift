// The options by which a bucket of an S3-compatible store is used for a streamed copy.
import ArgumentParser
import Copies
import Foundation
import Game

package struct BucketOptions: ParsableArguments {
  @Option(
    help: """
      Scheme, host and port of the store of s3://BUCKET/PREFIX (default: AWS's of the region). Buckets are parts of paths.
      """
  )
  var copyEndpoint: String?

  @Option(help: "The region of the bucket (default: AWS_REGION, or us-east-1).")
  var copyRegion: String?

  @Option(
    help: """
      A file with the key's identifier in its first line and its secret in the second (default: AWS_ACCESS_KEY_ID, \
      AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN).
      """
  )
  var copyKeyFile: String?

  package init() {}

  /// The destination of a copy that a text names.
  ///
  /// - Throws: `CopyFailure` with the fault of a setting.
  package func destination(
    _ text: String,
    version: String,
    _ settings: Settings
  ) throws(CopyFailure) -> any CopyDestination {
    try CopyPlace.destination(text, now: { .now }) { () throws(CopyFailure) in
      let variables = ProcessInfo.processInfo.environment
      let region = copyRegion ?? settings.string(.copyRegion) ?? variables["AWS_REGION"] ?? "us-east-1"
      guard region.wholeMatch(of: #/[A-Za-z0-9-]{1,40}/#) != nil else { throw CopyFailure("\(region) is no region") }
      return S3Destination.Settings(
        endpoint: copyEndpoint ?? settings.string(.copyEndpoint) ?? "https://s3.\(region).amazonaws.com",
        region: region,
        key: try key(settings, variables),
        version: version
      )
    }
  }

  private func key(_ settings: Settings, _ variables: [String: String]) throws(CopyFailure) -> S3Key {
    var parts = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].compactMap { variables[$0] }
    var token = variables["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    if let file = copyKeyFile ?? settings.string(.copyKeyFile) {
      guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
        throw CopyFailure("the key's file \(file) can't be read")
      }
      parts = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter {
        !$0.isEmpty
      }
      token = nil
    }
    let isUsable = parts.allSatisfy { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } && $0.utf8.count <= 256 }
    guard parts.count == 2, isUsable, token?.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ?? true else {
      throw CopyFailure("a bucket needs a key: --copy-key-file, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    }
    return S3Key(id: parts[0], secret: parts[1], sessionToken: token)
  }
}
