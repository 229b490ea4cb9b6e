// Pictures for operators: thumbnails of what was reported, seen through the operators' own listener alone.
//
// A pure path, and a read of the store, which answers on a thread of its own. A thumbnail is small: one answer has it.
import Game
import Store
import WebSocket

enum OperatorPictures {
  /// The medium of the path of a thumbnail; nil for any other path.
  static func media(ofPath path: String) -> MediaID? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "media", parts[3] == "thumbnail" else { return nil }
    return MediaID(parts[2])
  }

  /// Reads the thumbnail of a medium that something refers to.
  static func thumbnail(
    of media: MediaID,
    from store: any Store,
    _ completion: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    let fail: @Sendable (StoreFailure) -> Void = { completion(.operatorText(503, "\($0)\n")) }
    store.usedMedia(media) { found in
      switch found {
      case .failure(let failure): fail(failure)
      case .success(nil): completion(.operatorNotFound)
      case .success(let stored?):
        store.openBlob(BlobName(stored.digest, .thumbnail)) { opened in
          switch opened {
          case .failure(let failure): fail(failure)
          case .success(nil): completion(.operatorNotFound)
          case .success(let blob?):
            blob.read(0..<blob.byteCount) { bytes in
              switch bytes {
              case .failure(let failure): fail(failure)
              case .success(let bytes):
                completion(.operator(200, stored.type.of(.thumbnail).name, bytes))
              }
            }
          }
        }
      }
    }
  }
}
