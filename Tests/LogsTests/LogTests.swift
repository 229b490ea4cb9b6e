// Log lines: their form, and the levels that select them.
import Foundation
import Game
import Glibc
import Testing
import Logs

@Suite("The log")
struct LogTests {
  private func line(_ message: String, _ metadata: [String: String] = [:]) -> LogLine {
    LogLine(Instant(milliseconds: 1_795_325_400_250), .info, "madang.rooms", message, metadata)
  }

  private func fields(_ line: LogLine) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: Data(line.json.utf8))
  }

  @Test("In a terminal an event is one line: time, level, label, message, and its fields by name")
  func text() {
    let line = line("game began", ["players": "4", "game": "7K3F9-1"])
    #expect(line.text == "2026-11-22T05:30:00.250Z info madang.rooms: game began game=7K3F9-1 players=4\n")
  }

  @Test("Elsewhere an event is one JSON object on a line of its own")
  func json() throws {
    let line = line("game began", ["players": "4"])
    #expect(line.json.hasSuffix("}\n"))
    #expect(
      try fields(line) == [
        "time": "2026-11-22T05:30:00.250Z", "level": "info", "label": "madang.rooms", "message": "game began",
        "players": "4",
      ]
    )
  }

  @Test("For the journal an event has its level as syslog numbers it, and no time")
  func journal() {
    #expect(line("game began", ["players": "4"]).journal == "<6>madang.rooms: game began players=4\n")
  }

  @Test("The journal is known by device and inode of its socket, and nothing else is")
  func journalStream() throws {
    var status = stat()
    #expect(fstat(STDOUT_FILENO, &status) == 0)
    #expect(LineLogHandler.Format.isJournal(STDOUT_FILENO, by: "\(status.st_dev):\(status.st_ino)"))
    for name in [nil, "", "\(status.st_dev)", "\(status.st_dev):\(status.st_ino)1", "0:0"] {
      #expect(!LineLogHandler.Format.isJournal(STDOUT_FILENO, by: name))
    }
    #expect(!LineLogHandler.Format.isJournal(-1, by: "\(status.st_dev):\(status.st_ino)"))
  }

  @Test("A field with the name of one of the line's own does not hide it")
  func sameName() throws {
    let fields = try fields(line("told", ["level": "9", "time": "never"]))
    #expect(fields["level"] == "info" && fields["level_"] == "9" && fields["time_"] == "never")
  }

  @Test(
    "A line has one end and no terminal control sequences, whatever its text has",
    arguments: ["a\nb", "a\r\u{1B}[2Jb", "\"quoted\" \\", "\u{202E}gnorw", "tab\there", "\u{0}", "\u{E0001}", "가람 🙂"]
  )
  func hostile(_ text: String) throws {
    let line = line(text, ["why": text])
    for form in [line.text, line.json, line.journal] {
      #expect(
        form.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E && $0.value != 0xE0001 }
      )
      #expect(form.hasSuffix("\n"))
    }
    let fields = try fields(line)
    #expect(fields["message"] == text && fields["why"] == text)
  }

  @Test("A value that is not a single word is quoted")
  func quotes() {
    #expect(line("x", ["why": "disk full"]).text.hasSuffix(" why=\"disk full\"\n"))
    #expect(line("x", ["why": ""]).text.hasSuffix(" why=\"\"\n"))
    #expect(line("x", ["why": "a=b"]).text.hasSuffix(" why=\"a=b\"\n"))
  }

  @Test("Lines that are not written wait, up to a bound; the excess is counted, and no caller blocks")
  func stalledReader() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let writer = LogWriter(ends[1])
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1_023) + [UInt8(ascii: "\n")]
    let written = 2 * LogWriter.waitingBytesMax / line.count
    var lost = 0
    for _ in 0..<written { lost += writer.write(line) }
    // A reader makes space again, and the next line reports the lost ones.
    var taken = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while taken < 128 * line.count { taken += read(ends[0], &chunk, chunk.count) }
    lost += writer.write(line)
    // The waiting lines and the pipe's 64 KiB were accepted.
    #expect(lost < written && lost >= written - LogWriter.waitingBytesMax / line.count - 128)
    // All lines that were not lost arrive.
    while taken < (written + 1 - lost) * line.count { taken += read(ends[0], &chunk, chunk.count) }
    #expect(taken == (written + 1 - lost) * line.count)
  }

  @Test("The level of a label's nearest listed parent applies, else the default level")
  func levels() throws {
    let levels = try LogLevels(" warning, madang = notice,\tmadang.rooms=debug, ")
    #expect(levels.level(of: "madang.rooms") == .debug)
    #expect(levels.level(of: "madang.rooms.ticks") == .debug)
    #expect(levels.level(of: "madang.roomsandmore") == .notice)
    #expect(levels.level(of: "madang.store") == .notice)
    #expect(levels.level(of: "other") == .warning)
    #expect(LogLevels().level(of: "madang") == .info)
    #expect(try LogLevels("").level(of: "madang") == .info)
  }

  @Test("An unknown level is refused and named", arguments: ["loud", "madang=", "=info", "madang.rooms=debug=info"])
  func badLevels(_ text: String) {
    #expect(throws: LogLevels.Fault.unreadable(text)) { try LogLevels("info, \(text) ") }
  }

  @Test("An unknown label is refused, with a list of the known ones")
  func badLabels() {
    #expect(throws: LogLevels.Fault.noSuchLabel("madang.nosuch")) { try LogLevels("info,madang.nosuch=debug") }
    let message = LogLevels.Fault.noSuchLabel("madang.nosuch").description
    for label in LogLabel.allCases { #expect(message.contains(label.rawValue)) }
  }
}
