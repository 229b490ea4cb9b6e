// The command that scripts/fuzz builds and runs: hands the inputs that libFuzzer makes to one target. Only that script
// builds it, for it needs libFuzzer's runtime and instrumented code.
// madang-fuzz --target=NAME, then whatever libFuzzer takes. The name is an option and not an argument, because
// libFuzzer takes arguments for folders, passes over options with two dashes, and starts itself again with all that it
// was given.
import CLibFuzzer
import FuzzTargets
import Glibc

@main
enum FuzzDriver {
  private static let target = CommandLine.arguments.dropFirst().first.flatMap { argument in
    FuzzTarget.allCases.first { argument == "--target=\($0.rawValue)" }
  }

  static func main() {
    guard target != nil else {
      print("usage: madang-fuzz --target=NAME [libFuzzer's options]")
      print("targets: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
      exit(2)
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
      FuzzDriver.target?.run(UnsafeRawBufferPointer(start: bytes, count: count))
      return 0
    }
    exit(status)
  }
}
