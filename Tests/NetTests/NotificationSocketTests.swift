// Messages to a service manager, received by sockets of the test's own.
import Foundation
import Glibc
import Net
import Testing

@Suite("Notification socket")
struct NotificationSocketTests {
  /// The manager's end of a socket with this name.
  private final class Receiver {
    let descriptor: Int32

    init(_ path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var name = Array(path.utf8)
      if name[0] == UInt8(ascii: "@") { name[0] = 0 }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      }
      try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// The next message; it is there already, since a datagram is delivered before `sendto` returns.
    func message() -> String? {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  @Test("A manager is told by a file's socket and by an abstract one", arguments: [true, false])
  func tells(_ isAbstract: Bool) throws {
    let name = "madang-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    let path = isAbstract ? "@\(name)" : "\(NSTemporaryDirectory())/\(name)"
    defer { if !isAbstract { unlink(path) } }
    let manager = try Receiver(path)
    let told = try #require(NotificationSocket(socket: path))
    #expect(told.tell(.ready("serving on 127.0.0.1:8080")))
    #expect(told.tell(.stopping("ending")))
    #expect(manager.message() == "READY=1\nSTATUS=serving on 127.0.0.1:8080")
    #expect(manager.message() == "STOPPING=1\nSTATUS=ending")
    #expect(manager.message() == nil)
  }

  @Test(
    "There is none without a path that a socket can have",
    arguments: [nil, "", "@", "relative", String(repeating: "/a", count: 60)]
  )
  func absent(_ path: String?) {
    #expect(NotificationSocket(socket: path) == nil)
  }

  @Test("A manager that is gone harms nothing")
  func gone() throws {
    let manager = try #require(NotificationSocket(socket: "@madang-nobody-\(getpid())"))
    #expect(!manager.tell(.ready("")))
  }
}
