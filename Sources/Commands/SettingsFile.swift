// The file of `--config`: one JSON object of settings, read strictly. Unknown settings and values of a wrong kind are
// refused: a mistyped limit would limit nothing. A value.
// Decisions: 097 (docs/decisions).
import Foundation

package struct SettingsFile {
  package private(set) var values: [Setting: SettingValue] = [:]

  /// The reason why the file is refused, for the operator.
  package struct Fault: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// Reads a file's contents.
  package init(json bytes: [UInt8]) throws(Fault) {
    let members: [String: SettingValue]
    do {
      members = try JSONDecoder().decode([String: SettingValue].self, from: Data(bytes))
    } catch DecodingError.dataCorrupted {
      throw Fault(description: "not JSON: \(Self.place(ofFaultIn: bytes))")
    } catch {
      throw Fault(description: "one JSON object of settings is expected")
    }
    let unknown = members.keys.filter { Setting(rawValue: $0) == nil }.sorted()
    guard unknown.isEmpty else { throw Self.unknown(unknown) }
    for (name, value) in members {
      guard let setting = Setting(rawValue: name) else { preconditionFailure("unknown names are refused earlier") }
      guard setting.takes(value) else { throw Fault(description: "\(name) must be \(setting.kind.expectation)") }
      values[setting] = value
    }
  }

  /// Foundation's description of the fault; `JSONDecoder` names no place, `JSONSerialization` does.
  private static func place(ofFaultIn bytes: [UInt8]) -> String {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(bytes))
      return "the reason is unknown"
    } catch {
      let description = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      return (description ?? error.localizedDescription).trimmingCharacters(in: .init(charactersIn: "."))
    }
  }

  private static func unknown(_ names: [String]) -> Fault {
    let unknown = names.map { name in
      name.printable + (Setting.nearest(to: name).map { " (\($0.name)?)" } ?? "")
    }
    let all = Setting.allCases.map(\.name)
    return Fault(
      description: "no setting is called \(unknown.joined(separator: ", ")); there are \(all.joined(separator: ", "))"
    )
  }
}

/// The value of a setting in a file.
package enum SettingValue: Hashable, Sendable, Decodable {
  case text(String)
  case number(Int)
  case flag(Bool)
  /// A value of no setting's kind.
  case other

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else {
      self = .other
    }
  }
}

extension Setting {
  fileprivate func takes(_ value: SettingValue) -> Bool {
    switch (kind, value) {
    case (.text, .text), (.number, .number), (.flag, .flag): true
    default: false
    }
  }
}

extension Setting.Kind {
  fileprivate var expectation: String {
    switch self {
    case .text: "a text, in quotes"
    case .number: "a whole number"
    case .flag: "true or false"
    }
  }
}
