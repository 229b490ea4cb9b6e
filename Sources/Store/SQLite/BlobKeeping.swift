// The contract of blobs over a folder of files, and the sweep of those that nothing names any more.
import GRDB
import Game

/// A store whose blobs are files in a folder.
package protocol BlobKeeping: BlobStore {
  var blobs: BlobFolder { get }
}

extension SQLiteStore: BlobKeeping {}

extension BlobKeeping {
  package func putBlobs(_ digest: MediaDigest, files: [MediaSize: String], _ completion: @escaping Completion<Void>) {
    blobs.put(digest, files, completion)
  }

  package func releaseBlobs(_ digest: MediaDigest) { blobs.release(digest) }

  package func openBlob(_ name: BlobName, _ completion: @escaping Completion<(any OpenBlob)?>) {
    blobs.open(name, completion)
  }

  package func blobNames() throws(StoreFailure) -> [BlobName] { try blobs.files.names() }
}

/// The deletion of the blobs of media that have been deleted.
struct BlobSweep {
  let store: SQLiteStore

  /// Sweeps, then hands over the failure.
  func run(_ completion: @escaping @Sendable (StoreFailure?) -> Void) {
    let forget: @Sendable ([MediaDigest], @escaping Completion<Void>) -> Void = { [store] digests, done in
      store.write(done) { db in
        try db.transaction {
          for digest in digests { try db.run("DELETE FROM dropped_blobs WHERE digest = ?", Blob(digest.bytes)) }
        }
      }
    }
    store.blobs.sweep(forget: forget, completion)
  }
}
