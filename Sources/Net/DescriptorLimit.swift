// How many descriptors the process may have open, which bounds its connections.
//
// Pure but for asking the kernel; any thread may.
import Glibc

package enum DescriptorLimit {
  /// What is allowed now.
  package static var current: Int { Int(clamping: limits.rlim_cur) }

  /// How many connections fit into a limit of descriptors: all but a reserve for shards, files and logs, which is a quarter
  /// of a small limit.
  package static func connectionsMax(of descriptors: Int) -> Int {
    descriptors - min(256, descriptors / 4)
  }

  /// Takes as many as the system lets this user take: shells begin with 1,024, which is no number for a server.
  package static func raise() {
    var limits = limits
    limits.rlim_cur = limits.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
  }

  private static var limits: rlimit {
    var limits = rlimit()
    let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    precondition(result == 0, "every process has a limit of descriptors")
    return limits
  }
}
