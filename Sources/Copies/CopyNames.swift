// The names in a copy, and moments in them. Pure.
//
//     through                                             until when the copy has everything: a line with a moment
//     owner                                               whose server writes it (CopyOwner): a line
//     generations/20261126T031500123Z-9f3c2a11/
//       snapshot-00000000                                 the database's file, in pieces (PageFile)
//       delta-0000000001-1795662902345                    the pages of commits since, with the last one's milliseconds
//       whole                                             how many deltas the snapshot needs, and its pieces: a line
//     media/ab/ab….original                               pictures, by their digests
import Cryptography
import Game
import Store

package enum CopyNames {
  package static let generations = "generations"
  package static let through = "through"
  package static let media = "media"
  static let owner = "owner"
  static let whole = "whole"
  static let snapshotPrefix = "snapshot-"
  static let deltaPrefix = "delta-"

  static func folder(_ generation: String) -> String { "\(generations)/\(generation)" }

  static func snapshot(_ number: UInt64) -> String { "\(snapshotPrefix)\(padded(number, 8))" }

  static func delta(_ number: UInt64, at moment: Instant) -> String {
    "\(deltaPrefix)\(padded(number, 10))-\(moment.milliseconds)"
  }

  /// The number and the moment in a delta's name; nil for another name.
  static func parts(ofDelta name: String) -> (number: UInt64, moment: Instant)? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard name.hasPrefix(deltaPrefix), parts.count == 3, let number = UInt64(parts[1]), parts[1].utf8.count == 10,
      let milliseconds = Int64(parts[2])
    else { return nil }
    return (number, Instant(milliseconds: milliseconds))
  }

  /// The identifier of a generation that begins: its moment, and a random part. Identifiers sort by time.
  static func generation(at moment: Instant, random: [UInt8]) -> String {
    "\(generation(at: moment))-\(Hexadecimal.encode(random))"
  }

  /// The beginning of the identifiers of generations that begin at a moment.
  static func generation(at moment: Instant) -> String { moment.utc.filter { !"-:.".contains($0) } }

  package static func picture(_ blob: BlobName) -> String { "\(media)/\(blob.prefix)/\(blob.fileName)" }

  private static func padded(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
