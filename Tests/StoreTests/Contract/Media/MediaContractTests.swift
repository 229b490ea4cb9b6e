// Media, their blobs and what refers to them, over every back end.
import Game
import Glibc
import Store
import TestSupport
import Testing

@Suite("The contract of media")
struct MediaContractTests {
  private let folder = try? TestFolder()

  /// Files of these contents, one for each size.
  private func files(_ content: String) throws -> [MediaSize: String] {
    let folder = try #require(folder)
    return try Dictionary(
      uniqueKeysWithValues: MediaSize.allCases.map { size in
        let path = folder.path + "/\(content).\(size.rawValue)"
        let bytes = Array("\(content) \(size.rawValue)".utf8)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        return (size, path)
      }
    )
  }

  private func digest(_ number: UInt8) -> MediaDigest { MediaDigest(Array(repeating: number, count: 32)) }

  private func media(_ id: UInt128, of owner: UInt128 = 1, _ number: UInt8 = 7, at: Int64 = 0) -> StoredMedia {
    StoredMedia(
      id: MediaID(id),
      owner: PlayerID(owner),
      digest: digest(number),
      type: .jpeg,
      width: 40,
      height: 30,
      sizeBytes: 100,
      uploadedAt: Instant(milliseconds: at)
    )
  }

  private func withPictures(_ id: UInt128, of owner: UInt128 = 1, _ pictures: UInt128...) -> Capsule {
    Capsule(
      id: CapsuleID(id),
      owner: PlayerID(owner),
      title: "기억",
      text: "text",
      pictures: pictures.map { MediaID($0) },
      memoryDay: 20_000,
      place: seoul,
      buriedAt: moment(5),
      isForEveryone: true
    )
  }

  private static let hourMs: Int64 = 3_600_000

  @Test("Blobs are read as they were put, once for equal bytes, in ranges", arguments: BackEnd.allCases)
  func blobs(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      #expect(try await store.blob(digest(7), .phone) == nil)
      try await store.put(digest(7), try files("one"))
      #expect(try await store.change(MediaChange.add(media(1))) == .added)
      #expect(try await store.change(MediaChange.add(media(1))) == .added)
      #expect(try await store.change(MediaChange.add(media(1, of: 2))) == .notFound)
      #expect(try await store.change(MediaChange.add(media(3, of: 9))) == .notFound)
      store.releaseBlobs(digest(7))
      // The same bytes of another player's: nothing is kept twice.
      try await store.put(digest(7), try files("one"))
      #expect(try await store.change(MediaChange.add(media(2, of: 2))) == .added)
      store.releaseBlobs(digest(7))
      #expect(try await store.blob(digest(7), .phone) == Array("one phone".utf8))
      let blob = try #require(try await store.open(digest(7), .original))
      #expect(blob.byteCount == 12)
      #expect(try await blob.bytes(4..<8) == Array("orig".utf8))
      #expect(Set(try store.blobNames()) == Set(MediaSize.allCases.map { BlobName(digest(7), $0) }))
      #expect(try await store.allMedia([2, 9, 1]) == [media(2, of: 2), media(1)])
    }
  }

  @Test("A capsule and its pictures are there as one, and only an owner's", arguments: BackEnd.allCases)
  func uses(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for id: UInt128 in 1...4 {
        try await store.put(digest(UInt8(id)), try files("\(id)"))
        try await store.change(MediaChange.add(media(id, of: id == 4 ? 2 : 1, UInt8(id))))
        store.releaseBlobs(digest(UInt8(id)))
      }
      func bury(_ capsule: Capsule) async throws -> CapsuleOutcome {
        try await store.change(CapsuleChange.bury(capsule, sharedWith: []))
      }
      #expect(try await bury(withPictures(1, 1, 4)) == .mediaNotFound)
      #expect(try await bury(withPictures(1, 1, 9)) == .mediaNotFound)
      #expect(try await store.capsules(ownedBy: 1) == [])
      #expect(try await store.capsuleCounts() == CapsuleCounts())
      #expect(try await store.used(1) == nil)
      try await store.bury(withPictures(1, 2, 1, 2))
      #expect(try await store.capsules(ownedBy: 1) == [withPictures(1, 2, 1, 2)])
      // An edit with a picture that is not there, or is another's, changes nothing of the capsule.
      for stranger: UInt128 in [4, 9] {
        let pictures = [MediaID(3), MediaID(stranger)]
        let edit = CapsuleEdit(id: CapsuleID(1), owner: PlayerID(1), title: "봄", pictures: pictures, at: moment(9))
        #expect(try await store.change(CapsuleChange.edit(edit)) == .mediaNotFound)
      }
      #expect(try await store.capsules(ownedBy: 1) == [withPictures(1, 2, 1, 2)])
      #expect(try await store.used(1) == media(1, 1))
      #expect(try await store.used(3) == nil)
      let edit = CapsuleEdit(id: CapsuleID(1), owner: PlayerID(1), pictures: [MediaID(3), MediaID(1)], at: moment(9))
      var edited = withPictures(1, 3, 1)
      edited.editedAt = moment(9)
      #expect(try await store.change(CapsuleChange.edit(edit)) == .edited(edited.summary(hasOpened: false)))
      #expect(try await store.used(2) == nil)
      #expect(try await store.used(3) == media(3, 3))
      #expect(try await store.change(CapsuleChange.delete(CapsuleID(1), owner: PlayerID(1))) == .deleted)
      #expect(try await store.used(1) == nil)
    }
  }

  @Test(
    "What nothing has referred to for an hour is swept, with its blobs; the rest stays",
    arguments: BackEnd.allCases
  )
  func sweeping(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for id: UInt128 in 1...3 {
        try await store.put(digest(UInt8(id)), try files("\(id)"))
        try await store.change(MediaChange.add(media(id, UInt8(id))))
        store.releaseBlobs(digest(UInt8(id)))
      }
      // Another player's medium has the same bytes.
      try await store.change(MediaChange.add(media(4, of: 2, 3)))
      try await store.bury(withPictures(1, 1))
      try await store.bury(withPictures(2, of: 2, 4))
      try await store.maintain(at: Self.hourMs - 1)
      #expect(try await store.allMedia([1, 2, 3, 4]).count == 4)
      try await store.maintain(at: Self.hourMs)
      #expect(try await store.allMedia([1, 2, 3, 4]).map(\.id) == [MediaID(1), MediaID(4)])
      #expect(Set(try store.blobNames().map(\.digest)) == [digest(1), digest(3)])
      // A picture that is taken out is kept for an hour from then on.
      let edit = CapsuleEdit(id: CapsuleID(1), owner: PlayerID(1), pictures: [], at: moment(9))
      try await store.change(at: 2 * Self.hourMs, CapsuleChange.edit(edit))
      try await store.maintain(at: 3 * Self.hourMs - 1)
      #expect(try await store.allMedia([1, 4]).count == 2)
      try await store.maintain(at: 3 * Self.hourMs)
      #expect(Set(try store.blobNames().map(\.digest)) == [digest(3)])
    }
  }

  @Test("Blobs that no medium names are deleted, unless they are held", arguments: BackEnd.allCases)
  func strays(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      try await store.put(digest(1), try files("a"))
      try await store.put(digest(1), try files("a"))
      try await store.maintain()
      store.releaseBlobs(digest(1))
      try await store.maintain()
      #expect(try await store.blob(digest(1), .thumbnail) == Array("a thumbnail".utf8))
      store.releaseBlobs(digest(1))
      try await store.maintain()
      #expect(try store.blobNames() == [])
    }
  }

  @Test("A deleted player's pictures go with their blobs, and others' stay", arguments: BackEnd.allCases)
  func erasure(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...2)
      for (id, owner): (UInt128, UInt128) in [(1, 1), (2, 1), (3, 2)] {
        try await store.put(digest(UInt8(id)), try files("\(id)"))
        try await store.change(MediaChange.add(media(id, of: owner, UInt8(id))))
        store.releaseBlobs(digest(UInt8(id)))
      }
      try await store.bury(withPictures(1, 1))
      try await store.bury(withPictures(2, of: 2, 3))
      try await store.delete(PlayerID(1))
      #expect(try await store.allMedia([1, 2, 3]).map(\.id) == [MediaID(3)])
      #expect(Set(try store.blobNames().map(\.digest)) == [digest(3)])
      #expect(try await store.used(3) == media(3, of: 2, 3))
    }
  }

  @Test("A guest with a picture is kept, and later goes", arguments: BackEnd.allCases)
  func guests(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      let days: Int64 = 24 * Self.hourMs
      try await store.change(MediaChange.add(media(1, at: 400 * days)))
      try await store.maintain(at: 400 * days)
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [])
      for day: Int64 in 401...404 { try await store.maintain(at: day * days) }
      #expect(try store.unknownPlayers(among: [PlayerID(1)]) == [PlayerID(1)])
    }
  }

  @Test("The key of addresses is the first one", arguments: BackEnd.allCases)
  func key(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...1)
      let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
      #expect(try store.mediaKey(orKeep: first) == first)
      #expect(try store.mediaKey(orKeep: second) == first)
    }
  }
}

extension Store {
  fileprivate func put(_ digest: MediaDigest, _ files: [MediaSize: String]) async throws {
    try await withCheckedContinuation { waiting in
      putBlobs(digest, files: files) { waiting.resume(returning: $0) }
    }.get()
  }

  fileprivate func open(_ digest: MediaDigest, _ size: MediaSize) async throws -> (any OpenBlob)? {
    try await withCheckedContinuation { waiting in
      openBlob(BlobName(digest, size)) { waiting.resume(returning: $0) }
    }.get()
  }

  fileprivate func blob(_ digest: MediaDigest, _ size: MediaSize) async throws -> [UInt8]? {
    guard let blob = try await open(digest, size) else { return nil }
    return try await blob.bytes(0..<blob.byteCount)
  }

  fileprivate func used(_ id: UInt128) async throws -> StoredMedia? {
    try await withCheckedContinuation { waiting in
      usedMedia(MediaID(id)) { waiting.resume(returning: $0) }
    }.get()
  }

  fileprivate func allMedia(_ ids: [UInt128]) async throws -> [StoredMedia] {
    try await withCheckedContinuation { waiting in
      media(ids.map { MediaID($0) }) { waiting.resume(returning: $0) }
    }.get()
  }
}

extension OpenBlob {
  fileprivate func bytes(_ range: Range<Int>) async throws -> [UInt8] {
    try await withCheckedContinuation { waiting in read(range) { waiting.resume(returning: $0) } }.get()
  }
}
