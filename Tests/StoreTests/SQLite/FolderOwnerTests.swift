// The owner of a data folder's files when root writes them, and the words for a folder that can't be used.
import Glibc
import Store
import TestSupport
import Testing

@Suite("The owner of a data folder")
struct FolderOwnerTests {
  /// Nobody's identifier on Debian; any other than root's serves.
  private static let user: uid_t = 65_534

  private func owner(_ path: String) throws -> uid_t {
    var status = stat()
    try #require(lstat(path, &status) == 0, "\(path)")
    return status.st_uid
  }

  private func make(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(descriptor >= 0)
    close(descriptor)
  }

  @Test("What root writes in another user's folder is that user's when the store closes", .enabled(if: geteuid() == 0))
  func rootWrites() throws {
    let folder = try TestFolder()
    try #require(chown(folder.path, Self.user, Self.user) == 0)
    let store = try SQLiteStore(folder: folder.path)
    try make(folder.file("madang.operators"))
    try #require(mkdir(folder.file("media"), 0o700) == 0)
    try make(folder.file("media/picture"))
    store.close()
    for name in ["madang.sqlite", "madang.lock", "madang.operators", "media", "media/picture"] {
      #expect(try owner(folder.file(name)) == Self.user, "\(name)")
    }
  }

  @Test("Links to elsewhere and third users' files stay as they are", .enabled(if: geteuid() == 0))
  func elsewhere() throws {
    let (folder, other) = (try TestFolder(), try TestFolder())
    for name in ["linked", "named"] { try make(other.file(name)) }
    try #require(symlink(other.path, folder.file("folder")) == 0)
    try #require(symlink(other.file("linked"), folder.file("file")) == 0)
    try #require(link(other.file("named"), folder.file("named")) == 0)
    try make(folder.file("third"))
    try #require(chown(folder.file("third"), Self.user - 1, Self.user - 1) == 0)
    try make(folder.file("own"))
    try #require(chown(folder.path, Self.user, Self.user) == 0)
    FolderOwner.giveFiles(in: folder.path)
    #expect(try owner(folder.file("own")) == Self.user)
    #expect(try owner(folder.file("third")) == Self.user - 1)
    for name in ["linked", "named"] { #expect(try owner(other.file(name)) == 0, "\(name)") }
    #expect(try owner(other.path) == 0)
  }

  @Test("Root's own folder keeps root's files", .enabled(if: geteuid() == 0))
  func rootsFolder() throws {
    let folder = try TestFolder()
    try SQLiteStore(folder: folder.path).close()
    #expect(try owner(folder.file("madang.sqlite")) == 0)
  }

  @Test("A folder that can't be made is named, with the reason")
  func unmakeable() throws {
    let folder = try TestFolder()
    try make(folder.file("file"))
    let path = folder.file("file/data")
    #expect(throws: StoreFailure.other("can't make the folder \(path): Not a directory")) {
      try SQLiteStore(folder: path)
    }
  }
}
