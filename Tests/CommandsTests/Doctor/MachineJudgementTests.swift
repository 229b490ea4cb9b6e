// The doctor's rules for a machine: disk, descriptors, clock and backups, at their bounds.
import Commands
import Testing

@Suite("The doctor's view of a machine")
struct MachineJudgementTests {
  private static let gib: UInt64 = 1 << 30

  @Test("A disk is full at 256 MiB, and short at 2 GiB or 5 %")
  func disk() {
    func level(_ freeBytes: UInt64, of totalBytes: UInt64) -> Finding.Level {
      MachineJudgement.disk("data", freeBytes: freeBytes, totalBytes: totalBytes).level
    }
    #expect(level(Self.gib / 4 - 1, of: 10 * Self.gib) == .failure)
    #expect(level(Self.gib / 4, of: Self.gib) == .warning)
    #expect(level(2 * Self.gib - 1, of: 10 * Self.gib) == .warning)
    #expect(level(2 * Self.gib, of: 10 * Self.gib) == .ok)
    #expect(level(4 * Self.gib, of: 100 * Self.gib) == .warning)
    #expect(level(0, of: 0) == .failure)
    let finding = MachineJudgement.disk("/var/lib/madang", freeBytes: 5 * Self.gib / 2, totalBytes: 10 * Self.gib)
    #expect(finding.text == "2.5 GiB free of 10.0 GiB (25 %) for /var/lib/madang")
  }

  @Test("Descriptors bound connections, and the shell's 1,024 are too few")
  func descriptors() {
    #expect(MachineJudgement.descriptors(limit: 1_023, isServer: true).level == .failure)
    #expect(MachineJudgement.descriptors(limit: 1_024, isServer: true).level == .warning)
    #expect(MachineJudgement.descriptors(limit: 16_383, isServer: true).level == .warning)
    let finding = MachineJudgement.descriptors(limit: 1_048_576, isServer: true)
    #expect(finding == .ok("descriptors", "the running server may have 1048576 descriptors, for 1048320 connections"))
    #expect(
      MachineJudgement.descriptors(limit: 20_000, isServer: false).text.hasPrefix("a server that this user starts")
    )
  }

  @Test(
    "A clock is off by more than two seconds, beyond what the answer's way may take",
    arguments: [-1, 1] as [Int64]
  )
  func clock(direction: Int64) {
    func level(_ aheadMs: Int64, _ uncertaintyMs: Int64) -> Finding.Level {
      MachineJudgement.clock(aheadMs: direction * aheadMs, uncertaintyMs: uncertaintyMs).level
    }
    #expect(level(0, 0) == .ok)
    #expect(level(2_000, 0) == .ok)
    #expect(level(2_001, 0) == .warning)
    #expect(level(2_500, 500) == .ok)
    #expect(level(60_000, 0) == .warning)
    #expect(level(60_001, 0) == .failure)
    #expect(level(61_000, 1_000) == .warning)
  }

  @Test("A clock's direction is told")
  func direction() {
    #expect(MachineJudgement.clock(aheadMs: -5_000, uncertaintyMs: 3).text.contains("5000 ms behind"))
    #expect(MachineJudgement.clock(aheadMs: 5_000, uncertaintyMs: 3).text.contains("5000 ms ahead of"))
  }

  @Test("A streamed copy is behind after two minutes, and is none after an hour")
  func copy() {
    func level(_ ageS: Int64?) -> Finding.Level { MachineJudgement.copy("copies", ageS: ageS).level }
    #expect(level(-3) == .ok && level(120) == .ok)
    #expect(level(121) == .warning && level(3_600) == .warning)
    #expect(level(3_601) == .failure && level(nil) == .failure)
  }

  @Test("A backup is missing, no database, too old, or old by a week's worth")
  func backup() {
    func level(_ file: String?, _ ageHours: Int64, isDatabase: Bool = true) -> Finding.Level {
      MachineJudgement.backup(in: "backups", newest: file, ageHours: ageHours, hoursMax: 26, isDatabase: isDatabase)
        .level
    }
    #expect(level(nil, 0) == .failure)
    #expect(level("a.sqlite", 0, isDatabase: false) == .failure)
    #expect(level("a.sqlite", 26) == .ok)
    #expect(level("a.sqlite", 27) == .warning)
    #expect(level("a.sqlite", 7 * 26) == .warning)
    #expect(level("a.sqlite", 7 * 26 + 1) == .failure)
  }

  @Test("A finding is a line, and what to do a second one; a server's words control no terminal")
  func lines() {
    #expect(Finding.ok("disk", "enough").lines == ["ok       disk           enough"])
    let failure = Finding.failure("certificate", "ended\u{1B}[2J", "renew it")
    #expect(failure.lines.count == 2)
    #expect(failure.lines[0].hasPrefix("FAILURE  certificate    ended") && !failure.lines[0].contains("\u{1B}"))
    #expect(failure.lines[1].hasSuffix("→ renew it"))
    var findings = Findings(url: nil)
    findings.add(.ok("disk", "enough"))
    #expect(!findings.hasFailure)
    findings.add([.warning("clock", "off", "set it"), failure])
    #expect(findings.hasFailure && findings.summary == "1 ok, 1 warnings, 1 failures")
  }
}
