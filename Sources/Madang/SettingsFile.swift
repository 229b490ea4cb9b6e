// The file of `--config`: one JSON object of settings, read strictly. Unknown settings and values of a wrong kind are
// refused: a mistyped limit would limit nothing. A value.
import Configuration
import Server

package struct SettingsFile {
  package private(set) var values: [Setting: JSONValue] = [:]

  /// The reason why the file is refused, for the operator.
  package struct Fault: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// Reads a file's contents.
  package init(json bytes: [UInt8]) throws(Fault) {
    let read = bytes.withUnsafeBytes { bytes in Result { () throws(JSONFault) in try JSONValue(bytes) } }
    let members: [String: JSONValue]
    switch read {
    case .success(.object(let object)): members = object
    case .success: throw Fault(description: "one JSON object of settings is expected")
    case .failure(let fault): throw Fault(description: "\(fault)")
    }
    let unknown = members.keys.filter { Setting(rawValue: $0) == nil }.sorted()
    guard unknown.isEmpty else { throw Self.unknown(unknown) }
    for (name, value) in members {
      guard let setting = Setting(rawValue: name) else { preconditionFailure("those that are none were refused") }
      guard setting.takes(value) else { throw Fault(description: "\(name) must be \(setting.kind.expectation)") }
      values[setting] = value
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

  var provider: InMemoryProvider {
    let pairs = values.compactMap { setting, value -> (AbsoluteConfigKey, ConfigValue)? in
      let content: ConfigContent
      switch value {
      case .string(let text): content = .string(text)
      case .integer(let number): content = .int(Int(number))
      case .boolean(let isSet): content = .bool(isSet)
      default: return nil
      }
      return (AbsoluteConfigKey([setting.name]), ConfigValue(content, isSecret: setting == .adminToken))
    }
    return InMemoryProvider(name: "file", values: Dictionary(uniqueKeysWithValues: pairs))
  }
}

extension Setting {
  fileprivate func takes(_ value: JSONValue) -> Bool {
    switch (kind, value) {
    case (.text, .string), (.number, .integer), (.flag, .boolean): true
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
