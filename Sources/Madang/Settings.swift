// Settings of `madang serve` from three places: flags, then `MADANG_…` variables, then a file; the first value counts.
import ArgumentParser
import Configuration

/// Settings that were not given as flags.
struct Settings {
  private let reader: ConfigReader

  /// - Parameter file: a JSON file's path; its keys are the names of settings (`tickHz`).
  /// - Throws: `ValidationError` with the file's fault.
  init(file: String?) throws {
    var providers: [any ConfigProvider] = [EnvironmentVariablesProvider().prefixKeys(with: "madang")]
    if let file { providers.append(try Self.read(file).provider) }
    reader = ConfigReader(providers: providers)
  }

  private static func read(_ path: String) throws -> SettingsFile {
    do {
      return try SettingsFile(json: InputFile.bytes(of: path))
    } catch {
      throw ValidationError("--config \(path): \(error).")
    }
  }

  func string(_ setting: Setting) async throws -> String? {
    try await reader.fetchString(forKey: setting.key)
  }

  /// - Throws: `ValidationError` when the value is out of `range` or no number.
  func int(_ setting: Setting, in range: ClosedRange<Int>) async throws -> Int? {
    let value: Int?
    do {
      value = try await reader.fetchInt(forKey: setting.key)
    } catch {
      throw ValidationError("\(setting.variable) is no whole number.")
    }
    guard let value else { return nil }
    guard range.contains(value) else { throw setting.isOut(of: range, value) }
    return value
  }

  /// - Throws: `ValidationError` when the value is neither true nor false.
  func bool(_ setting: Setting) async throws -> Bool? {
    do {
      return try await reader.fetchBool(forKey: setting.key)
    } catch {
      throw ValidationError("\(setting.variable) is neither true nor false.")
    }
  }
}

extension Setting {
  fileprivate var key: ConfigKey { ConfigKey([name]) }

  /// The operator's message for a number out of range.
  func isOut(of range: ClosedRange<Int>, _ value: Int) -> ValidationError {
    ValidationError("\(name) is \(value), out of \(range.lowerBound) to \(range.upperBound).")
  }
}
