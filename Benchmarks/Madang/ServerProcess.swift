// A server under measurement, as a child of this process.
//
// Used by one task. The child serves until its standard input ends. This process holds the other end, so no child
// outlives it, for any end. Works with any server that prints `ready HOST:PORT`.
import Glibc
import Net

struct BenchFailure: Error, CustomStringConvertible {
  let description: String
}

final class ServerProcess {
  private let pid: pid_t
  private var input: Int32
  let address: ResolvedAddress

  /// Starts `command`, a program's path and its arguments, and returns when it serves.
  init(_ command: [String]) throws {
    let (childInput, input) = try Self.makePipe()
    let (output, childOutput) = try Self.makePipe()
    defer { close(output) }
    let started = Result { try Self.spawn(command, input: childInput, output: childOutput) }
    close(childInput)
    close(childOutput)
    self.input = input
    do {
      pid = try started.get()
    } catch {
      close(input)
      throw error
    }
    guard let port = Self.readPort(from: output) else {
      close(input)
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
      throw BenchFailure(description: "\(command.joined(separator: " ")): ended before it was ready")
    }
    address = try ResolvedAddress(host: "127.0.0.1", port: port)
  }

  deinit {
    end()
  }

  /// The user and system time of all the child's threads so far, including those that have ended.
  var cpuMicroseconds: Int64 {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Ends the child and waits for it; kills it when that takes 10 s.
  func end() {
    guard input >= 0 else { return }
    close(input)
    input = -1
    for _ in 0..<1_000 {
      if waitpid(pid, nil, WNOHANG) != 0 { return }
      usleep(10_000)
    }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  private static func spawn(_ command: [String], input: Int32, output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    let code = posix_spawnp(&pid, command[0], &actions, nil, &arguments, environ)
    guard code == 0 else {
      throw BenchFailure(description: "can't start \(command[0]): \(String(cString: strerror(code)))")
    }
    return pid
  }

  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchFailure(description: "can't make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads the child's first line; nil when it is not `ready HOST:PORT`.
  private static func readPort(from output: Int32) -> UInt16? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 200, read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix("ready "), let port = text.split(separator: ":").last else { return nil }
    return UInt16(port)
  }
}
