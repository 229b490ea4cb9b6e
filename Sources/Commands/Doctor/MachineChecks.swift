// The doctor's checks on the server's own machine: disk, descriptors, backups. They read, and change nothing.
import Foundation
import Glibc
import Net
import Store

enum MachineChecks {
  /// Looks at the disk of the data folder.
  static func disk(of folder: String) -> Finding {
    var disk = statvfs()
    guard statvfs(folder, &disk) == 0 else {
      return .failure(
        "disk",
        "there is no data folder \(folder): \(String(cString: strerror(errno)))",
        "name it with --data, and run this as the server's user or root"
      )
    }
    let block = UInt64(disk.f_frsize)
    return MachineJudgement.disk(
      folder,
      freeBytes: UInt64(disk.f_bavail) * block,
      totalBytes: UInt64(disk.f_blocks) * block
    )
  }

  /// Looks at the descriptors of the server that runs on the data folder, if this user may look at it; without one at
  /// what one would have.
  static func descriptors(of folder: String) -> [Finding] {
    let limits = runningServers().filter { serves($0, folder) }.compactMap(descriptorLimit(of:))
    if limits.isEmpty { return [MachineJudgement.descriptors(limit: DescriptorLimit.most, isServer: false)] }
    return limits.map { MachineJudgement.descriptors(limit: $0, isServer: true) }
  }

  /// The processes that were started as `madang serve`.
  private static func runningServers() -> [String] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.filter { $0.allSatisfy(\.isNumber) }.sorted().filter { process in
      let words = bytes(of: "/proc/\(process)/cmdline").split(separator: 0).prefix(2).map {
        String(decoding: $0, as: UTF8.self)
      }
      return words.count == 2 && (words[0] == "madang" || words[0].hasSuffix("/madang")) && words[1] == "serve"
    }
  }

  /// Whether the process has the database of the data folder open.
  private static func serves(_ process: String, _ folder: String) -> Bool {
    let database = URL(filePath: SQLiteStore.path(in: folder)).resolvingSymlinksInPath().path
    let files = FileManager.default
    let descriptors = (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
    return descriptors.contains {
      (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")) == database
    }
  }

  private static func descriptorLimit(of process: String) -> Int? {
    let lines = String(decoding: bytes(of: "/proc/\(process)/limits"), as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("Max open files") }) else { return nil }
    // The soft limit, then the hard one, which the server has made its own.
    return line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) }
  }

  /// Looks at the newest backup of a folder.
  static func backup(in folder: String, hoursMax: Int) -> Finding {
    let files = FileManager.default
    let names: [String]
    do {
      names = try files.contentsOfDirectory(atPath: folder)
    } catch {
      return .failure("backup", "the folder \(folder) can't be read", "name the folder of backups with --backups")
    }
    let dated = names.filter { $0.hasSuffix(".sqlite") }.compactMap { name in
      let date = try? files.attributesOfItem(atPath: "\(folder)/\(name)")[.modificationDate] as? Date
      return date.map { (name: name, date: $0) }
    }
    let newest = dated.max { $0.date < $1.date }
    let ageS = newest.map { Date().timeIntervalSince($0.date) } ?? 0
    return MachineJudgement.backup(
      in: folder,
      newest: newest?.name,
      ageHours: Int64(max(0, ageS) / 3_600),
      hoursMax: Int64(hoursMax),
      isDatabase: newest.map { isDatabase("\(folder)/\($0.name)") } ?? false
    )
  }

  /// Whether the file begins as SQLite's do.
  private static func isDatabase(_ path: String) -> Bool {
    bytes(of: path, atMost: 16).elementsEqual("SQLite format 3\0".utf8)
  }

  /// The first bytes of a file; none where it can't be read.
  private static func bytes(of path: String, atMost count: Int = 64 * 1_024) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = fread(&bytes, 1, count, file)
    return Array(bytes[..<read])
  }
}
