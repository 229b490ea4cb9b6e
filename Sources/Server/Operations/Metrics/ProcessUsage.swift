// The process's use of the machine, from the kernel.
//
// Read from /proc and by getrusage at each call, on any thread; a value that can't be read is 0.
import Glibc
import Net

package struct ProcessUsage: Sendable {
  package let residentBytes: Int
  package let virtualBytes: Int
  package let openDescriptors: Int
  package let descriptorsMax: Int
  package let cpuMicroseconds: Int64

  package static var current: ProcessUsage {
    let pages = statm
    let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
    return ProcessUsage(
      residentBytes: pages.resident * pageBytes,
      virtualBytes: pages.virtual * pageBytes,
      openDescriptors: openDescriptorCount,
      descriptorsMax: DescriptorLimit.current,
      cpuMicroseconds: processCPUMicroseconds
    )
  }

  /// User and system time of this process since it began.
  package static var processCPUMicroseconds: Int64 {
    var usage = rusage()
    guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
    func microseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec) }
    return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
  }

  private static var statm: (virtual: Int, resident: Int) {
    guard let file = fopen("/proc/self/statm", "r") else { return (0, 0) }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    let count = fread(&line, 1, line.count, file)
    let words = String(decoding: line[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
    guard words.count >= 2 else { return (0, 0) }
    return (Int(words[0]) ?? 0, Int(words[1]) ?? 0)
  }

  /// The number of open descriptors. Since Linux 6.2 the folder's length gives it. Before, each entry is read, which
  /// takes milliseconds for ten thousand.
  private static var openDescriptorCount: Int {
    var status = stat()
    if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Int(status.st_size) }
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      // `.`, `..`; all others are numbers.
      if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
    }
    // Without the descriptor that this count opens.
    return max(0, count - 1)
  }
}
