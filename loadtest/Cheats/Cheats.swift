// `madang-loadtest cheats`: solo games of every kind of cheat, side by side, beside honest ones.
import ArgumentParser
import Foundation
import MadangProtocol
import Net

package struct Cheats: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Cheat in every way, and see that nothing is gained.",
    discussion: """
      Plays solo games of each kind, all at once: some honest seconds, then the lie. Kinds:

      \(CheatKind.allCases.map { "  \($0.rawValue): \($0.text)" }.joined(separator: "\n"))

      Laps need --land. Prints for each kind the share that became suspect within 60 s, how long that took, the greatest result, and \
      the gain over the best honest run. Exits with 1 when less than 99 % of those that break a rule of positions are suspect in time, \
      when an honest player is suspect, or when a cheat has more points, a longer way (by more than 25 m) or a faster ranked run than \
      the honest. Forged-walk and faster-lap obey every rule: their gain is printed, and judged by nobody.
      """
  )

  @OptionGroup var target: TargetOptions

  @Option(help: "The number of games of each kind.")
  package var games = 20

  @Option(parsing: .upToNextOption, help: "The kinds (default: all); the honest always play.")
  package var kinds: [CheatKind] = []

  @Option(help: "Seconds of each game, 88 to 600.")
  package var seconds = 90

  @Option(help: "The id of a land of up to 240 m for laps; without it there are none.")
  var land: String?

  @Option(help: "The seed of the stories.")
  var seed: UInt64 = 1

  @Option(help: "Threads for the bots.")
  var shards = 1

  @Option(help: "Fail when there are more errors than this.")
  var expectErrors = 0

  package init() {}

  package func validate() throws {
    guard games >= 1 else { throw ValidationError("--games must be 1 or more.") }
    guard (88...600).contains(seconds) else { throw ValidationError("--seconds must be 88 to 600.") }
  }

  package func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cheats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let kinds = played
    let plan = try plan(kinds, folder)
    let server = ServerUsage(target.serverPID.map(ServerProcess.init), rooms: plan.rooms)
    let results = try await PhoneGroup(plan, server, shards: shards).play(within: seconds + 120)
    let table = CheatTable(results.phones, kinds)
    for line in table.lines { print(line) }
    for (code, count) in results.errors.sorted(by: { $0.key < $1.key }) { print("error \(code): \(count)") }
    var misses = table.complaints
    if results.errorCount > expectErrors {
      misses.append("\(results.errorCount) errors, at most \(expectErrors) expected")
    }
    guard !misses.isEmpty else { return }
    for miss in misses { print("missed: \(miss)") }
    throw ExitCode(1)
  }

  /// The kinds to play, with the honest runs that they are compared with.
  private var played: [CheatKind] {
    CheatKind.allCases.filter { kind in
      guard land != nil || !kind.isLap else { return false }
      return kinds.isEmpty || kinds.contains(kind) || kinds.contains { $0.reference == kind }
    }
  }

  private func plan(_ kinds: [CheatKind], _ folder: URL) throws -> PhonePlan {
    let (seconds, seed, land) = (seconds, seed, land)
    return PhonePlan(
      target: try target.target(),
      rooms: kinds.count * games,
      players: 1,
      folder: folder
    ) { room in
      let kind = kinds[room % kinds.count]
      var wish = WireCreateRoom()
      wish.mode = kind.isLap ? .land : .footprint
      wish.solo = true
      wish.durationS = UInt32(seconds)
      if kind.isLap, let land { wish.landIds = [land] }
      return wish
    } script: { room, _, ring in
      let drawn = seed &+ UInt64(room) &* 0x9E37_79B9
      return CheatStory.script(kinds[room % kinds.count], seconds: seconds, seed: drawn, around: ring)
    }
  }
}
