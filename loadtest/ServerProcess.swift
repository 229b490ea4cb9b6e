// The resources that the server's process uses, from /proc.
//
// A value that names a process; nil wherever the process or /proc is missing.
import Foundation

package struct ServerProcess: Sendable {
  private let pid: Int32

  package init(pid: Int32) {
    self.pid = pid
  }

  /// User and system time so far.
  package var cpuMicroseconds: Int64? {
    read("stat").flatMap(Self.cpuTicks).map { $0 * 1_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))) }
  }

  /// The time that its threads have been ready to run and waited for a processor, in all.
  package var waitedMicroseconds: Int64? {
    let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
    let waits = tasks?.compactMap { read("task/\($0)/schedstat").flatMap(Self.waitedNanoseconds) } ?? []
    return waits.isEmpty ? nil : waits.reduce(0, +) / 1_000
  }

  /// The process's own memory in use: RssAnon, without the program's file and the kernel's memory for sockets.
  package var memoryBytes: Int64? {
    read("status").flatMap(Self.anonymousBytes)
  }

  /// The bytes written to disks so far: write_bytes of `/proc/PID/io`.
  package var bytesWritten: Int64? {
    read("io").flatMap(Self.bytesWritten)
  }

  private func read(_ name: String) -> String? {
    FileManager.default.contents(atPath: "/proc/\(pid)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  /// The sum of utime and stime in `/proc/PID/stat`: the 12th and 13th fields behind the name, which is in parentheses
  /// and may hold spaces and parentheses itself.
  package static func cpuTicks(inStat text: String) -> Int64? {
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return nil }
    return user + system
  }

  /// The second number of a task's `schedstat`: its time in the processor's queue.
  package static func waitedNanoseconds(inSchedstat text: String) -> Int64? {
    let fields = text.split(whereSeparator: \.isWhitespace)
    return fields.count == 3 ? Int64(fields[1]) : nil
  }

  /// The write_bytes in `/proc/PID/io`.
  package static func bytesWritten(inIO text: String) -> Int64? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
    return line.flatMap { Int64($0.dropFirst("write_bytes: ".count)) }
  }

  /// RssAnon in `/proc/PID/status`.
  package static func anonymousBytes(inStatus text: String) -> Int64? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    guard words.count == 3, words[2] == "kB", let kibibytes = Int64(words[1]) else { return nil }
    return kibibytes * 1_024
  }
}
