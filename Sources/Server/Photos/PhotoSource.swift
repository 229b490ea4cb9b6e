// The source of countries' photos, as the feature sees it. Values, and a protocol that may be used on any thread.
import Game

/// An operator's settings of photos.
package struct PhotoConfiguration: Sendable {
  /// The folder of what was fetched; it is made.
  package var folder: String
  package var source: any PhotoSource
  /// The requests over the network that the process may send in a day of UTC, over restarts too.
  package var requestsPerDay: Int

  package static let requestsPerDayDefault = 500

  package init(folder: String, source: any PhotoSource, requestsPerDay: Int = requestsPerDayDefault) {
    self.folder = folder
    self.source = source
    self.requestsPerDay = requestsPerDay
  }
}

/// A picture as a source gave it: nothing about its bytes is known yet.
package struct FoundPhoto: Sendable {
  package let bytes: [UInt8]
  /// As the source says it; empty for none.
  package let attribution: String

  package static let bytesMax = 10 << 20

  package init(bytes: [UInt8], attribution: String) {
    self.bytes = bytes
    self.attribution = attribution
  }
}

/// The reason why a country got no new photo. The texts are for operators, and have no key in them.
package enum PhotoFailure: Error, Equatable, Sendable {
  /// The source has none of this country, or something that is no picture.
  case noPhoto(String)
  /// The source can't be asked now.
  case source(String, retryAfterS: Int64? = nil)
  /// The source has named a picture, and who has it can't be asked now.
  case picture(String, retryAfterS: Int64? = nil)
  /// The requests of the day are used up.
  case quotaUsed
  /// The server itself has no means to fetch or keep one at the moment.
  case unable(String)
}

/// The fetching of one country's photo.
package struct PhotoErrand: Sendable {
  package let country: Country
  /// Runs a step on the thread of photos, which may wait for a disk.
  package let run: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Counts a request before it is sent; nil where it may be sent. Called on that thread.
  package let pay: @Sendable () -> PhotoFailure?

  package init(
    country: Country,
    run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    pay: @escaping @Sendable () -> PhotoFailure?
  ) {
    self.country = country
    self.run = run
    self.pay = pay
  }
}

package protocol PhotoSource: Sendable {
  /// The requests over the network that a photo takes at the least.
  var requestsMin: Int { get }

  /// Looks for a photo; called on the thread of photos. `completion` is called once, on any thread.
  func find(_ errand: PhotoErrand, _ completion: @escaping @Sendable (Result<FoundPhoto, PhotoFailure>) -> Void)
}
