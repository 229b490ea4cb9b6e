// The reads of media of the double, and its blobs.
import Game
import Store

/// A blob of the double.
private final class MemoryBlob: OpenBlob {
  private let bytes: [UInt8]
  private let store: MemoryStore

  init(_ bytes: [UInt8], of store: MemoryStore) { (self.bytes, self.store) = (bytes, store) }

  var byteCount: Int { bytes.count }

  func read(_ range: Range<Int>, _ completion: @escaping Completion<[UInt8]>) {
    store.respond(completion) { _ in .success(Array(self.bytes[range])) }
  }
}

extension MemoryStore {
  package func media(_ ids: [MediaID], _ completion: @escaping Completion<[StoredMedia]>) {
    respond(completion) { tables in .success(ids.compactMap { tables.media.media[$0]?.media }) }
  }

  package func usedMedia(_ id: MediaID, _ completion: @escaping Completion<StoredMedia?>) {
    respond(completion) { tables in
      let entry = tables.media.media[id]
      return .success(entry?.unusedSince == nil ? entry?.media : nil)
    }
  }

  package func mediaKey(orKeep new: [UInt8]) throws(StoreFailure) -> [UInt8] {
    change { $0.media.key(orKeep: new) }
  }

  package func putBlobs(_ digest: MediaDigest, files: [MediaSize: String], _ completion: @escaping Completion<Void>) {
    respond(completion) { $0.media.put(digest, files) }
  }

  package func releaseBlobs(_ digest: MediaDigest) {
    change { $0.media.release(digest) }
  }

  package func openBlob(_ name: BlobName, _ completion: @escaping Completion<(any OpenBlob)?>) {
    respond(completion) { tables in .success(tables.media.blobs[name].map { MemoryBlob($0, of: self) }) }
  }

  package func blobNames() throws(StoreFailure) -> [BlobName] {
    change { Array($0.media.blobs.keys) }
  }
}
