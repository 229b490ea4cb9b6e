// Which features of the server may use which: the folders of Sources/Server, and the mentions between them.
//
// Pure functions of source text. A word counts as a use where it is a type's or a function's name that exactly one file
// of the target declares, as for `DependencyCycles`.

enum FeatureTable {
  /// For each feature, the features that it may use. All may use the files beside the folders, which compose the server
  /// and hold what its features share.
  static let allowed: [String: Set<String>] = [
    "Accounts": ["Moderation", "Rooms", "Taps", "Webhooks"],
    "Countries": ["Photos"],
    "Map": ["Media", "Pages"],
    "Media": [],
    "Moderation": ["Places", "Stories"],
    "Operations": ["Accounts", "Map", "Pages", "Places", "Rooms", "Taps", "Webhooks"],
    "Pages": ["Rooms"],
    "Photos": ["Media"],
    "Places": ["Media", "Rooms", "Webhooks"],
    "Plans": ["Stories"],
    "Profiles": ["Media"],
    "Records": [],
    "Rooms": ["Webhooks"],
    "Stories": ["Media"],
    "Taps": [],
    "Tracks": ["Rooms"],
    "Webhooks": [],
  ]

  /// Each use of one feature by another, in order of path.
  static func uses(in files: [SourceFile]) -> [Use] {
    let files = files.filter { $0.targetFolder == "Server" }
    return DependencyCycles.arrows(between: files).arrows.enumerated().flatMap { index, targets in
      targets.compactMap { target in
        guard let user = files[index].feature, let used = files[target].feature, user != used else { return nil }
        return Use(path: files[index].path, user: user, used: used, usedPath: files[target].path)
      }
    }
  }

  struct Use: CustomStringConvertible {
    let path: String
    let user: String
    let used: String
    let usedPath: String

    var isAllowed: Bool { allowed[user]?.contains(used) == true }
    var description: String { "\(path) uses \(usedPath), but \(user) may not use \(used)" }
  }
}

extension SourceFile {
  /// The folder of the feature in the server; nil for files beside the folders.
  fileprivate var feature: String? {
    let parts = path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : nil
  }
}
