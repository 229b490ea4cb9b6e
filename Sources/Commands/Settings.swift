// Settings of `madang serve` from three places: flags, then `MADANG_…` variables, then a file; the first value counts.
// A value.
// Decisions: 097 (docs/decisions).
import ArgumentParser
import Foundation

/// Settings that were not given as flags.
package struct Settings {
  private let variables: [String: String]
  private let file: SettingsFile?

  /// - Parameters:
  ///   - file: a JSON file's path; its keys are the names of settings (`tickHz`).
  ///   - variables: the process's environment.
  /// - Throws: `ValidationError` with the file's fault.
  package init(file: String?, variables: [String: String] = ProcessInfo.processInfo.environment) throws {
    self.variables = variables
    self.file = try file.map(Self.read)
  }

  private static func read(_ path: String) throws -> SettingsFile {
    do {
      return try SettingsFile(json: InputFile.bytes(of: path))
    } catch {
      throw ValidationError("--config \(path): \(error).")
    }
  }

  package func string(_ setting: Setting) -> String? {
    if let text = variables[setting.variable] { return text }
    guard case .text(let text) = file?.values[setting] else { return nil }
    return text
  }

  /// - Throws: `ValidationError` when the value is out of `range` or no number.
  package func int(_ setting: Setting, in range: ClosedRange<Int>) throws -> Int? {
    let value: Int
    if let text = variables[setting.variable] {
      guard let number = Int(text) else { throw ValidationError("\(setting.variable) is no whole number.") }
      value = number
    } else {
      guard case .number(let number) = file?.values[setting] else { return nil }
      value = number
    }
    guard range.contains(value) else { throw setting.isOut(of: range, value) }
    return value
  }

  /// - Throws: `ValidationError` when the value is neither true nor false.
  package func bool(_ setting: Setting) throws -> Bool? {
    if let text = variables[setting.variable] {
      switch text.lowercased() {
      case "true", "yes", "1": return true
      case "false", "no", "0": return false
      default: throw ValidationError("\(setting.variable) is neither true nor false.")
      }
    }
    guard case .flag(let isSet) = file?.values[setting] else { return nil }
    return isSet
  }
}

extension Setting {
  /// The operator's message for a number out of range.
  package func isOut(of range: ClosedRange<Int>, _ value: Int) -> ValidationError {
    ValidationError("\(name) is \(value), out of \(range.lowerBound) to \(range.upperBound).")
  }
}
