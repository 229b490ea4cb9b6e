// The plan for all bots of a `stories`.
//
// A value.
import MadangProtocol

struct StoriesPlan: Sendable {
  /// The part of a plan for many viewers of one post.
  struct Viewing: Sendable {
    let viewers: Int
    /// One viewer in so many decodes all that it is told; the others only count it.
    let lookEvery: Int
  }

  let target: ServerTarget
  /// Where pictures are uploaded and fetched.
  let web: StoryWeb
  let identities: PlayerIdentities
  /// Those who act: in all posts, or with viewers in the one that the first of them writes.
  let actors: Int
  /// The time between two acts of an actor.
  let intervalMicroseconds: Int64
  /// Of the posts, those with pictures; per cent.
  let picturePercent: Int
  let pictureBytes: Int
  let viewing: Viewing?
  let pace: ConnectPace
  let shards: Int
  /// The seed of everything drawn.
  let seed: UInt64

  /// The time after the last connection was begun by which all must be there.
  static let enteringSecondsMax = 60
  /// The time for answers after the last act, and for what nobody waits for: views, news.
  static let settlingSecondsMax = 60

  /// The uploads of a bot: a guest's of a day, by their number and by their bytes.
  var uploadsMax: Int { min(Limits.guestUploadsPerDay, Limits.guestUploadBytesPerDay / (pictureBytes + 4_096)) }

  var players: Int { actors + (viewing?.viewers ?? 0) }

  func isViewer(_ index: Int) -> Bool { index >= actors }

  func looks(_ index: Int) -> Bool { viewing.map { index % $0.lookEvery == 0 } ?? true }

  /// A word that only this player's titles have.
  func word(of index: Int) -> String { "w\(identities.name)x\(identities.number(of: index))z" }
}
