// The values read from /proc, and the parts of the server's URL.
import Testing
import madang_loadtest

@Suite struct ServerProcessTests {
  @Test("CPU time is in the 12th and 13th field after the name, whatever the name is")
  func cpuTicks() {
    let rest = "S 1 2 3 4 5 6 7 8 9 10 120 34 0 0 20"
    #expect(ServerProcess.cpuTicks(inStat: "77 (madang) \(rest)") == 154)
    #expect(ServerProcess.cpuTicks(inStat: "77 (a b) 9 (c)) \(rest)") == 154)
    #expect(ServerProcess.cpuTicks(inStat: "77 (madang) S 1 2") == nil)
    #expect(ServerProcess.cpuTicks(inStat: "") == nil)
  }

  @Test("The wait for a processor is the second number of a task's schedstat")
  func waits() {
    #expect(ServerProcess.waitedNanoseconds(inSchedstat: "220807096 38518207 909\n") == 38_518_207)
    #expect(ServerProcess.waitedNanoseconds(inSchedstat: "220807096 38518207\n") == nil)
    #expect(ServerProcess.waitedNanoseconds(inSchedstat: "") == nil)
  }

  @Test("Memory is RssAnon, which /proc gives in KiB")
  func memory() {
    let status = "Name:\tmadang\nVmRSS:\t   90000 kB\nRssAnon:\t   26476 kB\nRssFile:\t   12000 kB\n"
    #expect(ServerProcess.anonymousBytes(inStatus: status) == 27_111_424)
    #expect(ServerProcess.anonymousBytes(inStatus: "VmRSS:\t 9 kB\n") == nil)
    #expect(ServerProcess.anonymousBytes(inStatus: "RssAnon:\t 9 MB\n") == nil)
  }

  @Test("Written bytes are write_bytes")
  func written() {
    let io = "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 16\n"
    #expect(ServerProcess.bytesWritten(inIO: io) == 8_192)
    #expect(ServerProcess.bytesWritten(inIO: "rchar: 1\n") == nil)
  }

  @Test("A process that does not exist has no usage")
  func nobody() {
    #expect(ServerProcess(pid: -1).cpuMicroseconds == nil)
    #expect(ServerProcess(pid: -1).memoryBytes == nil)
    #expect(ServerProcess(pid: -1).waitedMicroseconds == nil)
  }

  @Test("A ws:// or wss:// URL gives host, port, path and the Host header")
  func urls() throws {
    let plain = try ServerURL("ws://play.example.org")
    #expect(plain.host == "play.example.org" && plain.port == 80 && plain.path == "/v1/play")
    #expect(plain.authority == "play.example.org:80")
    let full = try ServerURL("ws://[::1]:8080/other")
    #expect(full.host == "::1" && full.port == 8_080 && full.path == "/other")
    #expect(full.authority == "[::1]:8080")
    #expect(!full.isSecure)
    let secure = try ServerURL("wss://play.example.org")
    #expect(secure.port == 443 && secure.isSecure)
  }

  @Test("Other URLs are refused", arguments: ["http://host/", "ws://", "host:80", "ws://host:70000/"])
  func badURLs(_ text: String) {
    #expect(throws: (any Error).self) { try ServerURL(text) }
  }
}
