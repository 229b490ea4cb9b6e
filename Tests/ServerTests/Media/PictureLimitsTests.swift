// The bounds of the process that decodes pictures, with a program that does what the picture says: it loops, sleeps,
// takes memory, writes without end, or leaves a process behind.
import Glibc
import MadangProtocol
import Server
import TestSupport
import Testing

@Suite struct PictureLimitsTests {
  // A whole JPEG in its form: a frame of 3 by 2, and scans, to which bytes may be added.
  private static let picture: [UInt8] = [
    0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 2, 0, 3, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9,
  ]
  private let folder: TestFolder
  private let told = ToldOperator()

  init() throws {
    folder = try TestFolder()
    try folder.write(
      """
      #!/bin/sh
      [ "$1" = -l ] && { echo '(jpegload)'; exit; }
      echo $$ > '\(folder.file("pid"))'
      output=${3%%\\[*}
      case $(tail -c 8 "$2") in
      *LOOPS) while :; do :; done;;
      *SLEEPS) exec sleep 1000;;
      *MEMORY) head -c 500000000 /dev/zero | tail -c 500000000 > "$output"; exit;;
      *WRITES) exec head -c 104857600 /dev/zero > "$output";;
      *GROWS) cp "$2" "$output"; exec head -c 1049000 /dev/zero >> "$output";;
      *CHILD) sleep 1000 > /dev/null 2>&1 & echo $! > '\(folder.file("pid"))';;
      esac
      exec cp "$2" "$output"
      """,
      to: "vips"
    )
    chmod(folder.file("vips"), 0o700)
  }

  private func upload(_ word: String, _ limits: PictureLimits) throws -> (answer: TestHTTP, again: TestHTTP) {
    let server = try TestServer {
      $0.media = MediaConfiguration(folder: folder.file("uploads"), program: folder.file("vips"))
      $0.media?.limits = limits
      $0.notifyOperator = told.add
    }
    let bytes = Self.picture + Array(word.utf8)
    var ask = WireAskUpload()
    ask.bytes = UInt32(bytes.count)
    ask.type = "image/jpeg"
    let player = try server.player("가람")
    guard case .upload(let upload) = try player.request(.askUpload(ask)) else { throw TestFailure("no ticket") }
    let head = "PUT \(upload.url) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(bytes.count)\r\n\r\n"
    let answer = try TestHTTP.send(Array(head.utf8) + bytes, port: server.port)
    try expectNothingStays()
    return (answer, try TestHTTP.send(Array(head.utf8) + bytes, port: server.port))
  }

  /// Files are deleted, and processes end, a moment after the answer.
  private func expectNothingStays() throws {
    let life = try #require(TestFolder.names(of: folder.file("uploads")).first)
    let pid = String(decoding: folder.read("pid"), as: UTF8.self).prefix { $0.isNumber }
    // Bounded only so that a failing test ends.
    for _ in 0..<30_000 {
      if TestFolder.names(of: folder.file("uploads/\(life)")).isEmpty, !Self.isRunning(String(pid)) { return }
      usleep(1_000)
    }
    Issue.record("there are \(TestFolder.names(of: folder.file("uploads/\(life)"))), process \(pid)")
  }

  /// Whether a process is there, and no more than its status waits.
  private static func isRunning(_ pid: String) -> Bool {
    let descriptor = open("/proc/\(pid)/stat", O_RDONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    return count > 0 && !String(decoding: bytes[..<count], as: UTF8.self).contains(") Z ")
  }

  private func expectDamaged(_ word: String, killed signal: Int32?, _ change: (inout PictureLimits) -> Void) throws {
    var limits = PictureLimits()
    change(&limits)
    let (answer, again) = try upload(word, limits)
    #expect(answer.status == 422 && answer.body.contains("\"MEDIA_DAMAGED\""), "\(answer)")
    #expect(again.status == 410 && again.body.contains("\"TICKET_USED\""), "\(again)")
    let failures = told.all.compactMap { if case .pictureNotCleaned(let why) = $0 { why } else { nil } }
    #expect(failures == (signal.map { ["signal \($0)"] } ?? []))
  }

  @Test("A program that loops is killed by its processor time, and the operator hears of it")
  func loops() throws {
    try expectDamaged("LOOPS", killed: SIGKILL) { ($0.cpuSecondsMax, $0.deadlineSeconds) = (1, 600) }
  }

  @Test("A program that sleeps is killed at its deadline")
  func sleeps() throws { try expectDamaged("SLEEPS", killed: SIGKILL) { $0.deadlineSeconds = 1 } }

  @Test("A program gets no more memory than its bound")
  func memory() throws { try expectDamaged("MEMORY", killed: nil) { $0.memoryKiBMax = 100_000 } }

  @Test("A file of more than 64 MiB is not written")
  func writes() throws { try expectDamaged("WRITES", killed: SIGXFSZ) { _ in } }

  @Test("A picture that has grown out of proportion is too large, and uses its ticket up")
  func grows() throws {
    let (answer, again) = try upload("GROWS", PictureLimits())
    #expect(answer.status == 413 && answer.body.contains("\"MEDIA_TOO_LARGE\""), "\(answer)")
    #expect(again.status == 410, "\(again)")
    #expect(told.all.allSatisfy { if case .pictureNotCleaned = $0 { false } else { true } })
  }

  @Test("What a program has started ends with it")
  func child() throws {
    #expect(try upload("CHILD", PictureLimits()).answer.status == 200)
  }
}
