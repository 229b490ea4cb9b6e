// The names of the settings of `madang serve`. This list is complete: no other name is a setting.

/// A setting. Its flag is the name with hyphens (`--tick-hz`), its variable the name in capitals (`MADANG_TICK_HZ`),
/// its key in a file the name itself.
package enum Setting: String, CaseIterable, Sendable {
  case host, port, data, maxDataGib, keepJournalsDays, timeZone, tickHz, withheldPercentMax, shards, publicUrl
  case webRoot, graceSeconds, map
  case tlsCertificate, tlsKey, trustedProxies, proxyProtocol, maxConnectionsPerAddress, maxConnections, maxRooms
  case webhookPrivateAddresses, webhookAuthorities, vips
  case photoSource, photoPointer, photoAttribution, photoKeyFile, photoHeader, photoRequestsPerDay
  case photoPrivateAddresses, wordList
  case limitLoopback, allowedOrigins, noCompression, conformance, strict, acceptClock, logLevel, logFormat
  case copyTo, copySeconds, copyKeep, copyEndpoint, copyRegion, copyKeyFile
  case adminPort, adminHost, adminToken, adminOrigin, adminProxyProtocol

  package enum Kind: Sendable {
    case text, number, flag
  }

  package var name: String { rawValue }

  package var kind: Kind {
    switch self {
    case .host, .data, .timeZone, .publicUrl, .webRoot, .tlsCertificate, .tlsKey, .trustedProxies: .text
    case .webhookAuthorities, .vips, .map: .text
    case .photoSource, .photoPointer, .photoAttribution, .photoKeyFile, .photoHeader, .wordList: .text
    case .copyTo, .copyEndpoint, .copyRegion, .copyKeyFile: .text
    case .allowedOrigins, .logLevel, .logFormat, .adminHost, .adminToken, .adminOrigin: .text
    case .port, .maxDataGib, .keepJournalsDays, .tickHz, .withheldPercentMax, .shards, .graceSeconds: .number
    case .maxConnectionsPerAddress, .maxConnections, .maxRooms, .adminPort: .number
    case .photoRequestsPerDay, .copySeconds, .copyKeep: .number
    case .webhookPrivateAddresses, .photoPrivateAddresses: .flag
    case .proxyProtocol, .limitLoopback, .noCompression, .conformance, .acceptClock, .adminProxyProtocol: .flag
    case .strict: .flag
    }
  }

  package var variable: String {
    Self.variablePrefix + name.map { $0.isUppercase ? "_\($0)" : "\($0)" }.joined().uppercased()
  }

  package static let variablePrefix = "MADANG_"

  /// The setting nearest to an unknown name; nil where none is near it.
  package static func nearest(to text: String) -> Setting? {
    let text = bare(text)
    let near = allCases.map { (setting: $0, distance: distance(Array(text), Array(bare($0.name)))) }
      .min { $0.distance < $1.distance }
    return near.flatMap { $0.distance <= max(1, text.count / 2) ? $0.setting : nil }
  }

  /// The complaints about variables that look like settings and are none: a line each, ordered by name.
  package static func complaints(about variables: some Sequence<String>) -> [String] {
    let known = Set(allCases.map(\.variable))
    return variables.filter { $0.hasPrefix(variablePrefix) && !known.contains($0) }.sorted().map { variable in
      let nearest = nearest(to: String(variable.dropFirst(variablePrefix.count)))
      return "the variable \(variable) is no setting\(nearest.map { "; is \($0.variable) meant?" } ?? "")"
    }
  }

  /// The name without case and separators.
  private static func bare(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// The number of letters to insert, delete or replace between two names.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (line, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in right.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[right.count]
  }
}
