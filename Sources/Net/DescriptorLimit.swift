// The number of descriptors that the process may have open, which bounds its connections.
//
// Pure but for calls to the kernel; any thread may use it.
import Glibc

package enum DescriptorLimit {
  /// The current limit.
  package static var current: Int { Int(clamping: limits.rlim_cur) }

  /// The most that the system allows this user.
  package static var most: Int { Int(clamping: limits.rlim_max) }

  /// The number of connections that fit into a limit of descriptors. A reserve is kept for shards, files and logs: a
  /// quarter of a small limit.
  package static func connectionsMax(of descriptors: Int) -> Int {
    descriptors - min(256, descriptors / 4)
  }

  /// Raises the limit to the most that the system allows this user. Shells begin with 1,024, too few for a server.
  package static func raise() {
    var limits = limits
    limits.rlim_cur = limits.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
  }

  private static var limits: rlimit {
    var limits = rlimit()
    let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    precondition(result == 0, "the limit of descriptors can be read")
    return limits
  }
}
