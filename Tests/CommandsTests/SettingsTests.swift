// The settings, and how a settings file is read.
import ArgumentParser
import Commands
import Foundation
import Testing

@Suite("Settings of the server")
struct SettingsTests {
  private func fault(_ json: String) -> String? {
    do throws(SettingsFile.Fault) {
      _ = try SettingsFile(json: Array(json.utf8))
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A setting's variable is its name in capitals, word by word")
  func names() {
    #expect(Setting.tickHz.variable == "MADANG_TICK_HZ" && Setting.port.variable == "MADANG_PORT")
    #expect(Setting.maxConnectionsPerAddress.variable == "MADANG_MAX_CONNECTIONS_PER_ADDRESS")
    #expect(Setting.publicUrl.variable == "MADANG_PUBLIC_URL" && Setting.host.variable == "MADANG_HOST")
  }

  @Test("A file's settings are read, each with its type")
  func file() throws {
    let file = try SettingsFile(json: Array(#"{"tickHz": 20, "host": "::1", "noCompression": true}"#.utf8))
    #expect(file.values == [.tickHz: .number(20), .host: .text("::1"), .noCompression: .flag(true)])
    #expect(fault("{}") == nil)
  }

  @Test("All unknown names in a file are refused at once, with the nearest known names and the full list")
  func unknown() throws {
    let message = try #require(fault(#"{"tickhz":99,"prot":1,"host":"::1","flavour":"x"}"#))
    #expect(message.hasPrefix("no setting is called flavour, prot (port?), tickhz (tickHz?); there are host, port, "))
    for setting in Setting.allCases { #expect(message.contains(setting.name)) }
    // The file can't name another file, and its keys are not flags' names.
    #expect(fault(#"{"config":"more.json"}"#) != nil)
    #expect(fault(#"{"tick-hz":10}"#)?.contains("tick-hz (tickHz?)") == true)
    #expect(fault(#"{"\u001b[2J":10}"#)?.contains("\u{1B}") == false)
  }

  @Test(
    "A value of the wrong type is refused",
    arguments: [
      (#"{"tickHz":"20"}"#, "tickHz must be a whole number"), (#"{"tickHz":20.5}"#, "tickHz must be a whole number"),
      (#"{"host":1}"#, "host must be a text, in quotes"),
      (#"{"conformance":"yes"}"#, "conformance must be true or false"),
      (#"{"host":null}"#, "host must be a text, in quotes"), ("[]", "one JSON object of settings is expected"),
    ]
  )
  func kinds(_ json: String, _ why: String) {
    #expect(fault(json) == why)
  }

  @Test(
    "A file that is not JSON is refused, with the position of the error",
    arguments: ["", "{", #"{"port":80 81}"#, "port = 1", "{'a':1}"]
  )
  func broken(_ text: String) throws {
    let message = try #require(fault(text))
    #expect(
      message.hasPrefix("not JSON: ") && (message.contains("end of file") || message.contains("around character"))
    )
  }

  @Test("A variable overrides the file, and a setting in neither is nil")
  func order() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "madang-settings-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "settings.json")
    try Data(#"{"host":"::1","port":81,"conformance":false}"#.utf8).write(to: file)
    let variables = ["MADANG_PORT": "82", "MADANG_CONFORMANCE": "yes", "MADANG_TICK_HZ": "many", "MADANG_SHARDS": "0"]
    let settings = try Settings(file: file.path, variables: variables)
    #expect(settings.string(.host) == "::1" && settings.string(.data) == nil)
    #expect(try settings.int(.port, in: 0...65_535) == 82)
    #expect(try settings.bool(.conformance) == true && settings.bool(.noCompression) == nil)
    #expect(throws: ValidationError.self) { try settings.int(.tickHz, in: 1...20) }
    #expect(throws: ValidationError.self) { try settings.int(.shards, in: 1...256) }
    #expect(throws: ValidationError.self) { try settings.bool(.port) }
  }

  @Test("Unknown variables with the server's prefix are reported with the nearest names; other variables are ignored")
  func variables() {
    let complaints = Setting.complaints(about: ["PATH", "MADANG_PORT", "MADANG_TICKHZ", "MADANG_SYNC_MARKS_OF_OTHERS"])
    #expect(
      complaints == [
        "the variable MADANG_SYNC_MARKS_OF_OTHERS is no setting",
        "the variable MADANG_TICKHZ is no setting; is MADANG_TICK_HZ meant?",
      ]
    )
    #expect(Setting.complaints(about: Setting.allCases.map(\.variable)).isEmpty)
  }
}
