// `madang doctor`: looks at a deployment from outside in, and says what to do.
// Decisions: 143 (docs/decisions).
import ArgumentParser
import Copies
import Glibc
import HTTPClient
import Net

package struct Doctor: ParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Check a deployment from outside in, and say what to do.",
    discussion: """
      With a URL, or the public URL of the settings, it asks as a phone does: the name and each of its addresses, the \
      certificate and the days until its end, the server's health, a WebSocket and a message over it, the longest \
      upload, the addresses that join links name and the server sees, a forged address, and the clock. Run it on \
      another machine, or with --from by another address than the proxy's: there it sees what players see.

      With --data it looks at the disk and at the descriptors of its server, with --backups at the newest backup of a \
      folder, with --copy at how far a streamed copy goes, and with both at whose it is and on which disk. Each line is ok, a warning or a FAILURE, and → says what to do. It exits with 1 when there is a failure. \
      It changes nothing, and makes no player.
      """
  )

  package init() {}

  @Argument(help: "Scheme, host and port as phones use them, like https://play.example.org (default: the public URL).")
  var url: String?

  @Option(help: "The data folder, to look at its disk (default: MADANG_DATA, or the file's).")
  var data: String?

  @Option(help: "A folder of backups, to look at the age of its newest file .sqlite.")
  var backups: String?

  @Option(help: "The age in hours from which a backup is too old, 1 to 8760.")
  var backupHours = 26

  @Option(help: "A streamed copy, folder or bucket, to look at how far it goes.")
  var copy: String?

  @OptionGroup var bucket: BucketOptions

  @Option(help: "A PEM file of certificates to trust instead of the system's.")
  var authorities: String?

  @Option(help: "The address to ask, in place of those of the name, as before a change of DNS.")
  var address: String?

  @Option(help: "The address of this machine to ask from.")
  var from: String?

  @Option(help: "The JSON file with the server's settings, for its public URL and data folder.")
  var config: String?

  @Flag(help: "Ask only whether the server answers and is ready, as the health check of a container.")
  var health = false

  @Flag(help: "As one JSON object.")
  var json = false

  package func validate() throws {
    guard (1...8_760).contains(backupHours) else { throw ValidationError("backup-hours is 1 to 8760.") }
    for (name, text) in [("address", address), ("from", from)] {
      if let text, IPAddress(text) == nil { throw ValidationError("\(name) is an address, like 192.0.2.1.") }
    }
  }

  package func run() throws {
    let settings = try Settings(file: config)
    let url = url ?? settings.string(.publicUrl)
    var findings = Findings(url: url)
    if let url {
      var probe = ProbeConnection.Settings()
      probe.authorities = authorities
      probe.source = from
      probe.address = address
      findings.add(try outside(url, probe))
    }
    if !health, let folder = data ?? settings.string(.data) {
      findings.add(MachineChecks.disk(of: folder))
      findings.add(MachineChecks.descriptors(of: folder))
    }
    if !health, let backups { findings.add(MachineChecks.backup(in: backups, hoursMax: backupHours)) }
    if !health, let copy {
      let destination = { () throws(CopyFailure) in try bucket.destination(copy, version: "doctor", settings) }
      findings.add(CopyCheck.finding(of: copy, destination))
      if let folder = data ?? settings.string(.data) {
        findings.add(CopyCheck.finding(of: copy, besides: folder, destination))
      }
    }
    guard !findings.findings.isEmpty else {
      throw ValidationError(
        "there is nothing to check: name a URL, --data, --backups or --copy; see madang doctor --help."
      )
    }
    if json {
      try findings.printJSON()
    } else {
      for line in findings.findings.flatMap(\.lines) + [findings.summary] { print(line) }
    }
    fflush(nil)
    if findings.hasFailure { throw ExitCode(1) }
  }

  private func outside(_ url: String, _ settings: ProbeConnection.Settings) throws -> [Finding] {
    do {
      let checks = try OutsideChecks(url, settings)
      return health ? [checks.health()] : checks.run()
    } catch {
      throw ValidationError("\(url.printable(200)): \(error).")
    }
  }
}
