// A server's certificate as libcurl describes it. A pure value.

package struct ProbedCertificate: Hashable, Sendable {
  /// The names and addresses that it is for, such as `DNS:play.example.org` and `IP Address:192.0.2.1`.
  package let names: [String]
  package let issuer: String
  /// The ends of its validity, seconds since 1970.
  package let validFromS: Int64
  package let validToS: Int64

  /// - Parameter lines: those of `CURLINFO_CERTINFO`, each `Name:value`; nil when a date is missing.
  package init?(lines: [String]) {
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.utf8.count + 1)) }
    }
    guard let from = value("Start date").flatMap(HTTPDate.seconds),
      let to = value("Expire date").flatMap(HTTPDate.seconds)
    else { return nil }
    validFromS = from
    validToS = to
    issuer = value("Issuer") ?? ""
    names = (value("X509v3 Subject Alternative Name") ?? "").split(separator: ",").map {
      String($0.drop { $0 == " " })
    }
  }
}
