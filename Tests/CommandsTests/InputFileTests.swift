// The files that commands read.
import Glibc
import Testing
import Commands

@Suite("A file that a command reads")
struct InputFileTests {
  private func failure(_ path: String) -> String? {
    do throws(InputFile.Failure) {
      _ = try InputFile.bytes(of: path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A path that is no file is reported with its kind, and reading does not wait for a pipe")
  func noFile() throws {
    var template = Array("/tmp/madang-input-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { rmdir(folder) }
    let pipe = folder + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    #expect(failure(folder) == "it is a folder")
    #expect(failure(pipe) == "it is no regular file")
    #expect(failure("/dev/null") == "it is no regular file")
    #expect(failure("/dev/zero") == "it is no regular file")
    #expect(failure(folder + "/none") == "No such file or directory")
  }

  @Test("A file is read whole", arguments: [0, 1, 65_536, 200_001])
  func whole(count: Int) throws {
    var template = Array("/tmp/madang-input-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { rmdir(folder) }
    let path = folder + "/list"
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { unlink(path) }
    let bytes = (0..<count).map { UInt8($0 % 251) }
    #expect(write(descriptor, bytes, count) == count)
    close(descriptor)
    #expect(try InputFile.bytes(of: path) == bytes)
  }
}
