// Media of the double, with their blobs in memory. A value, part of the tables.
import Game
import Glibc
import Store

struct MemoryMedia: Sendable {
  struct MediaEntry: Sendable {
    let media: StoredMedia
    var unusedSince: Instant?
  }

  struct Subject: Hashable, Sendable {
    let kind: MediaUse
    let id: UInt128
  }

  private(set) var media: [MediaID: MediaEntry] = [:]
  private var uses: [Subject: Set<MediaID>] = [:]
  private(set) var blobs: [BlobName: [UInt8]] = [:]
  private var holds: [MediaDigest: Int] = [:]
  private var key: [UInt8]?

  mutating func write(_ change: MediaChange, knowing players: some Collection<PlayerID>) -> MediaOutcome {
    switch change {
    case .add(let new):
      guard players.contains(new.owner) else { return .notFound }
      if let known = media[new.id] { return known.media.owner == new.owner ? .added : .notFound }
      media[new.id] = MediaEntry(media: new, unusedSince: new.uploadedAt)
      return .added
    }
  }

  /// Has a subject refer to these media and no others; false, and nothing changes, unless all are the owner's.
  mutating func use(_ ids: [MediaID], by subject: Subject, of owner: PlayerID, at now: Instant) -> Bool {
    let (before, after) = (uses[subject] ?? [], Set(ids))
    guard after.subtracting(before).allSatisfy({ media[$0]?.media.owner == owner }) else { return false }
    uses[subject] = after.isEmpty ? nil : after
    for id in before.union(after) {
      let isUsed = uses.values.contains { $0.contains(id) }
      let before = media[id]?.unusedSince
      media[id]?.unusedSince = isUsed ? nil : before ?? now
    }
    return true
  }

  /// Deletes media that nothing has referred to for long, and blobs that no medium names.
  mutating func sweep(at now: Instant) {
    media = media.filter { $0.value.unusedSince.map { $0 > now - StoredMedia.unusedRetention } ?? true }
    sweepBlobs()
  }

  mutating func forget(_ player: PlayerID) {
    let own = Set(media.values.map(\.media).filter { $0.owner == player }.map(\.id))
    media = media.filter { !own.contains($0.key) }
    uses = uses.mapValues { $0.subtracting(own) }.filter { !$0.value.isEmpty }
    sweepBlobs()
  }

  private mutating func sweepBlobs() {
    let named = Set(media.values.map(\.media.digest)).union(holds.keys)
    blobs = blobs.filter { named.contains($0.key.digest) }
  }

  mutating func put(_ digest: MediaDigest, _ files: [MediaSize: String]) -> Result<Void, StoreFailure> {
    holds[digest, default: 0] += 1
    for (size, file) in files {
      guard let bytes = Self.bytes(of: file) else { return .failure(.io("reading \(file)")) }
      unlink(file)
      let name = BlobName(digest, size)
      if blobs[name] == nil { blobs[name] = bytes }
    }
    return .success(())
  }

  mutating func release(_ digest: MediaDigest) {
    let left = (holds[digest] ?? 1) - 1
    holds[digest] = left > 0 ? left : nil
    sweepBlobs()
  }

  mutating func key(orKeep new: [UInt8]) -> [UInt8] {
    let kept = key ?? new
    key = kept
    return kept
  }

  private static func bytes(of file: String) -> [UInt8]? {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      guard !piece.isEmpty else { return bytes }
      bytes += piece
    }
  }
}
