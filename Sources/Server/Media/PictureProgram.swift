// The program that decodes and encodes pictures: libvips' command, in a process of its own for each call.
//
// Strangers' bytes are decoded there and nowhere else. The process has bounds on its time, its memory and the file
// that it writes, none of the server's variables, and none of its descriptors but the one that its messages go to.
// Blocks; used on the threads of `PictureWork`.
// Decisions: 118 (docs/decisions).
import Glibc
import Locks
import Net

/// The bounds of one process that decodes a picture.
package struct PictureLimits: Sendable {
  /// Of processor time; seconds.
  package var cpuSecondsMax = 40
  /// Of time; seconds.
  package var deadlineSeconds: Int64 = 60
  /// Of address space, KiB: a picture of 50 million pixels that is turned needs some 300 MB.
  package var memoryKiBMax = 2_000_000
  /// Of a written file, blocks of 512 bytes: 64 MiB.
  package var fileBlocksMax = 131_072

  package init() {}
}

struct PictureProgram: Sendable {
  /// One picture from one file to another, in a folder.
  struct Call {
    let input: String
    /// With libvips' options for the format in brackets.
    let output: String
    /// The longest side; a smaller picture stays as it is. Pixels.
    let sideMax: Int
    /// Whether it has shades of grey alone, which no profile of colours fits.
    let isGrey: Bool
  }

  /// The bytes of its messages that are kept.
  private static let messageBytesMax = 4_096

  /// The program's path.
  let path: String
  let limits: PictureLimits

  /// Finds the program: `named`, or else `vips` in the folders of PATH. Nil where it is not there.
  static func find(_ named: String?, _ limits: PictureLimits) -> PictureProgram? {
    if let named { return access(named, X_OK) == 0 ? PictureProgram(path: named, limits: limits) : nil }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let paths = folders.split(separator: ":").map { "\($0)/vips" }
    return paths.first { access($0, X_OK) == 0 }.map { PictureProgram(path: $0, limits: limits) }
  }

  /// The formats that the program can decode.
  var formats: Set<PictureFormat> {
    guard let output = run([path, "-l", "foreign"], in: "/", keeping: 1 << 20), output.status == 0 else { return [] }
    let loaders: [PictureFormat: String] = [
      .jpeg: "(jpegload)", .png: "(pngload)", .webp: "(webpload)", .heic: "(heifload)",
    ]
    return Set(loaders.filter { output.text.contains($0.value) }.keys)
  }

  enum Outcome {
    case done
    /// The program takes the file for no whole picture.
    case refused
    /// The program was killed, by its own bounds or by somebody; the reason, for operators.
    case killed(String)
    /// The program does not run; the reason, for operators.
    case unable(String)
  }

  /// Decodes a picture, turns it as its metadata say, brings its colours to sRGB, and encodes it without metadata.
  func convert(_ call: Call, in folder: String) -> Outcome {
    let arguments = [
      path, "thumbnail", call.input, call.output, "\(call.sideMax)", "--height", "\(call.sideMax)", "--size", "down",
      "--fail-on", "truncated",
    ]
    // A picture without a profile is in sRGB. Without the first of these, libvips shifts its colours.
    let colours = call.isGrey ? [] : ["--import-profile", "srgb", "--export-profile", "srgb"]
    guard let output = run(arguments + colours, in: folder, keeping: Self.messageBytesMax) else {
      return .unable("can't be started")
    }
    return switch output.status {
    case 0: .done
    case 126...127: .unable(output.text)
    case 128...: .killed("signal \(output.status - 128)")
    default: .refused
    }
  }

  private func run(_ arguments: [String], in folder: String, keeping bytesMax: Int) -> (status: Int32, text: String)? {
    let bounds =
      "ulimit -c 0; ulimit -t \(limits.cpuSecondsMax); ulimit -v \(limits.memoryKiBMax); "
      + "ulimit -f \(limits.fileBlocksMax); "
    let command = ["/bin/sh", "-c", "cd -- \"$0\" && { \(bounds)exec nice -n 10 \"$@\"; }", folder] + arguments
    guard let child = ChildProcess(command, environment: Self.environment) else { return nil }
    return child.wait(seconds: limits.deadlineSeconds, keeping: bytesMax)
  }

  /// One thread decodes a picture, and formats whose decoders are not meant for strangers' files are off.
  private static let environment = [
    "PATH=/usr/bin:/bin", "VIPS_CONCURRENCY=1", "VIPS_BLOCK_UNTRUSTED=1", "MALLOC_ARENA_MAX=1", "TMPDIR=.", "LC_ALL=C",
  ]
}

/// A process that was started, with its messages.
private struct ChildProcess {
  /// A process that is started takes no other's messages along.
  private static let starts = OrderedMutex(.leaf, ())

  private let pid: pid_t
  private let messages: Int32

  /// Starts a program in a group of its own; nil where the system refuses.
  init?(_ command: [String], environment: [String]) {
    guard let child = Self.starts.withLock({ _ in Self.start(command, environment: environment) }) else { return nil }
    self = child
  }

  private init(pid: pid_t, messages: Int32) {
    (self.pid, self.messages) = (pid, messages)
  }

  private static func start(_ command: [String], environment: [String]) -> ChildProcess? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // The server ignores SIGPIPE, and its threads may block others.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var words = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, command[0], &actions, &attributes, &words, &variables)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      return nil
    }
    return ChildProcess(pid: pid, messages: ends[0])
  }

  /// Waits for the end, which comes at the deadline at the latest; returns the exit status, or 128 and a signal's
  /// number, and the first of its output.
  func wait(seconds: Int64, keeping bytesMax: Int) -> (status: Int32, text: String) {
    defer { close(messages) }
    let deadline = SystemClock().now().advanced(seconds: seconds)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    // The output ends with the last process that has it.
    while true {
      let left = deadline.microseconds(since: SystemClock().now()) / 1_000
      guard left > 0 else { break }
      var waiting = pollfd(fd: messages, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(clamping: left)) > 0 else { continue }
      let count = read(messages, &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer[..<min(count, max(0, bytesMax - text.count))]
    }
    let status = end(by: deadline)
    let signal = status & 0x7F
    return (signal == 0 ? status >> 8 & 0xFF : 128 + signal, String(decoding: text, as: UTF8.self))
  }

  /// Waits for the end of a process that says no more, or kills it at the deadline; returns its status. What it has
  /// started ends with it.
  private func end(by deadline: Timestamp) -> Int32 {
    // The process keeps its number, and so the group its own, until it is asked for its status.
    while !hasEnded, SystemClock().now() < deadline { usleep(1_000) }
    kill(-pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  /// Programs close their output a moment before they end.
  private var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo != 0
  }
}
