// The owner of a data folder's files: a command that root runs on another user's folder leaves its files to that user,
// whose server must read them.
//
// Any thread; blocks. It opens what it changes by descriptors and follows no link, because the folder's user may be an
// attacker of root. It never changes a file that has another name elsewhere, or that is not root's.
import Glibc

package enum FolderOwner {
  /// Gives what root has made in the folder to the folder's owner and group. Does nothing for other users, and in a
  /// folder of root's. A file that can't be given stays as it is.
  package static func giveFiles(in folder: String) {
    guard geteuid() == 0 else { return }
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    guard let status = status(of: descriptor), status.st_uid != 0 else {
      close(descriptor)
      return
    }
    giveEntries(of: descriptor, to: status)
  }

  /// Takes over the descriptor of a folder.
  private static func giveEntries(of folder: Int32, to owner: stat) {
    guard let stream = fdopendir(folder) else {
      close(folder)
      return
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) + [0] }
      if name == Array(".".utf8CString) || name == Array("..".utf8CString) { continue }
      // Without waiting, should it be a pipe.
      let descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      give(descriptor, to: owner)
    }
  }

  /// Takes over the descriptor of an entry.
  private static func give(_ descriptor: Int32, to owner: stat) {
    guard let status = status(of: descriptor), status.st_dev == owner.st_dev else {
      close(descriptor)
      return
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let isFile = status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    if status.st_uid == 0, isFolder || isFile { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
    if isFolder { giveEntries(of: descriptor, to: owner) } else { close(descriptor) }
  }

  private static func status(of descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }
}
