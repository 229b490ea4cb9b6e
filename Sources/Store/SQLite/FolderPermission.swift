// The words for a data folder, or a file in it, that this process's user may not use: the path, whose it is, who asks,
// and the way out. SQLite's own errors name no path, and a folder of another user is an operator's commonest slip.
//
// Any thread; looks at files and at the list of users, and changes nothing.
import Glibc

package enum FolderPermission {
  /// Refuses a file of another user, before something else fails on it with fewer words.
  ///
  /// - Throws: `StoreFailure.other` where the file is there, or may be, and this user may not use it so.
  package static func require(_ mode: Int32, of path: String) throws(StoreFailure) {
    guard access(path, mode) != 0, errno == EACCES else { return }
    throw .other(complaint("can't \(mode & W_OK == 0 ? "read" : "write") \(path)", about: path))
  }

  /// The complaint for an operator when `what` has failed for lack of permission.
  package static func complaint(_ what: String, about path: String) -> String {
    let reason = "\(what): \(String(cString: strerror(EACCES)))"
    let user = name(of: geteuid())
    guard let owner = owner(of: path), owner != geteuid() else { return reason }
    let name = name(of: owner)
    // A server under way keeps its folder: only what root has made is given away.
    let gift = owner == 0 ? ", or give the data folder to \(user) (chown -R)" : ""
    return "\(reason). It belongs to the user \(name), and this runs as \(user): "
      + "run it as \(name) (runuser -u \(name) -- madang …)\(gift)"
  }

  /// The owner of a path, or of the nearest folder around it that may be looked at.
  private static func owner(of path: String) -> uid_t? {
    var status = stat()
    var path = path
    while stat(path, &status) != 0 {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
      path = String(path[..<slash])
    }
    return status.st_uid
  }

  private static func name(of user: uid_t) -> String {
    var found: UnsafeMutablePointer<passwd>?
    var entry = passwd()
    var texts = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &texts, texts.count, &found) == 0, found != nil else { return "\(user)" }
    return String(cString: entry.pw_name)
  }
}
