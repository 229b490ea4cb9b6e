// Media, and the blobs that have their bytes. Part of the contract. Media are written by `MediaChange`.
//
// Capsules, posts and profiles refer to media of their owner's. Their changes write who refers to what, in the
// same commit. A medium that nothing has referred to for `StoredMedia.unusedRetention` is deleted by
// `MaintenanceStore.maintain`, and a deleted player's media by `DeletionStore.erase`, with their blobs.
import Game

/// Media. Calls with a completion return at once, on any thread; the others block.
package protocol MediaStore: Sendable {
  /// Those of some media that are there, in the order of the identifiers.
  func media(_ ids: [MediaID], _ completion: @escaping Completion<[StoredMedia]>)

  /// A medium that something refers to; nil for one that is unknown or unused.
  func usedMedia(_ id: MediaID, _ completion: @escaping Completion<StoredMedia?>)

  /// The key that addresses of media and networks of reports are signed with, which lives as long as the store: `new`
  /// at the first call.
  func mediaKey(orKeep new: [UInt8]) throws(StoreFailure) -> [UInt8]
}

/// Blobs: immutable bytes under the digest of a medium's original, a blob for each size.
///
/// A blob lives as long as a medium names its digest, or somebody holds the digest. Others are deleted by maintenance
/// and by erasures, also those that a crash has left behind.
package protocol BlobStore: Sendable {
  /// Keeps finished files under a digest, and holds it until `releaseBlobs`: meanwhile nobody deletes them. Moves the
  /// files where it can. Known blobs stay as they are. The hold is there after a failure too. A success is answered
  /// when they survive a crash of the machine.
  func putBlobs(_ digest: MediaDigest, files: [MediaSize: String], _ completion: @escaping Completion<Void>)

  /// Ends a hold of `putBlobs`, after the outcome of the change that names the digest. Deletes the blobs if no medium
  /// does. Holds of one digest are counted.
  func releaseBlobs(_ digest: MediaDigest)

  /// Opens a blob for reading; nil where it is not there.
  func openBlob(_ name: BlobName, _ completion: @escaping Completion<(any OpenBlob)?>)

  /// All blobs, in no order. Blocks.
  func blobNames() throws(StoreFailure) -> [BlobName]
}

/// An open blob; it can be read even if it is deleted meanwhile.
package protocol OpenBlob: AnyObject, Sendable {
  var byteCount: Int { get }

  /// Reads a range inside the blob. It returns at once, on any thread.
  func read(_ range: Range<Int>, _ completion: @escaping Completion<[UInt8]>)
}
