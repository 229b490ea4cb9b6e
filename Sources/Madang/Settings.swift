// Settings of `madang serve` from three places: flags, then `MADANG_…` variables, then a file; the first that has one
// decides.
import ArgumentParser
import Configuration

/// Settings that were not given as flags.
struct Settings {
  private let reader: ConfigReader

  /// - Parameter file: a JSON file's path; its keys are the flags' names in camel case (`tickHz`).
  /// - Throws: what is wrong with the file.
  init(file: String?) async throws {
    var providers: [any ConfigProvider] = [EnvironmentVariablesProvider().prefixKeys(with: "madang")]
    if let file {
      let path = ConfigReader(provider: InMemoryProvider(values: ["filePath": ConfigValue(stringLiteral: file)]))
      providers.append(try await FileProvider<JSONSnapshot>(config: path))
    }
    reader = ConfigReader(providers: providers)
  }

  func string(_ key: ConfigKey) async throws -> String? {
    try await reader.fetchString(forKey: key)
  }

  /// - Throws: `ValidationError` when the value is out of `range` or no number.
  func int(_ key: ConfigKey, in range: ClosedRange<Int>) async throws -> Int? {
    guard let value = try await reader.fetchInt(forKey: key) else { return nil }
    guard range.contains(value) else {
      throw ValidationError("\(key) is \(value), out of \(range.lowerBound) to \(range.upperBound).")
    }
    return value
  }

  func bool(_ key: ConfigKey) async throws -> Bool? {
    try await reader.fetchBool(forKey: key)
  }
}
