// The parts of media that all shards share. Immutable but for parts that guard themselves; any thread may hold it.
import Cryptography
import Store

/// An operator's settings of pictures.
package struct MediaConfiguration: Sendable {
  /// The folder of files while they are uploaded; it is made, and emptied of those of an earlier
  /// start.
  package var folder: String
  /// The path of libvips' program; nil for `vips` in the folders of PATH.
  package var program: String?
  /// Of each of its processes.
  package var limits = PictureLimits()

  package init(folder: String, program: String? = nil) {
    self.folder = folder
    self.program = program
  }
}

final class SharedMedia: Sendable {
  let tickets = UploadTickets()
  /// Nil where no pictures are taken.
  let folder: UploadFolder?
  let work: PictureWork
  /// The store's own, 32 bytes: addresses are signed with it.
  let key: [UInt8]
  let addresses: MediaAddresses

  /// Reads the key of addresses, which the first start has made. A full disk prevents no start: then addresses are good
  /// for this life of the server alone, or no pictures are taken.
  init(_ configuration: MediaConfiguration?, _ store: any Store) {
    let new = RandomBytes.make(count: 32)
    key = (try? store.mediaKey(orKeep: new)) ?? new
    addresses = MediaAddresses(key: key)
    guard let configuration else {
      (folder, work) = (nil, PictureWork(nil))
      return
    }
    let folder = UploadFolder(in: configuration.folder)
    let work = PictureWork(PictureProgram.find(configuration.program, configuration.limits))
    self.work = work
    self.folder = work.formats.isEmpty ? nil : folder
  }
}
