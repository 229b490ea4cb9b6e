// The doctor's judgements of a deployment's numbers and addresses. Pure functions; the checks beside this file take the
// numbers.
import HTTPClient
import Net

/// Rules for what a machine has: its clock, disk, descriptors, backups.
package enum MachineJudgement {
  private static let gib: UInt64 = 1 << 30

  /// Judges the disk of the data folder: `freeBytes` is what the server's user may still write, of `totalBytes` in all.
  package static func disk(_ folder: String, freeBytes: UInt64, totalBytes: UInt64) -> Finding {
    let percent = totalBytes == 0 ? 0 : freeBytes * 100 / totalBytes
    let text = "\(tenths(freeBytes)) GiB free of \(tenths(totalBytes)) GiB (\(percent) %) for \(folder)"
    if freeBytes < gib / 4 {
      return .failure("disk", text, "free space, or move the data folder: durable requests are refused on a full disk")
    }
    if freeBytes < 2 * gib || percent < 5 {
      return .warning("disk", text, "free space soon, and bound the folder with --max-data-gib")
    }
    return .ok("disk", text)
  }

  /// Judges the descriptors that a process may have open: a running server (`isServer`), or this command.
  package static func descriptors(limit: Int, isServer: Bool) -> Finding {
    let connections = DescriptorLimit.connectionsMax(of: limit)
    let subject = isServer ? "the running server" : "a server that this user starts"
    let text = "\(subject) may have \(limit) descriptors, for \(connections) connections"
    let advice = "raise the limit: LimitNOFILE=1048576 in the unit, or nofile in /etc/security/limits.conf"
    if limit < 1_024 { return .failure("descriptors", text, advice) }
    if limit < 16_384 { return .warning("descriptors", text, advice) }
    return .ok("descriptors", text)
  }

  /// Judges the server's clock, which is `aheadMs` ahead of this machine's. `uncertaintyMs` is half the time that the
  /// answer took.
  package static func clock(aheadMs: Int64, uncertaintyMs: Int64) -> Finding {
    let apart = aheadMs.magnitude
    let direction = aheadMs < 0 ? "behind" : "ahead of"
    let text = "the server's clock is \(apart) ms \(direction) this machine's, ± \(uncertaintyMs) ms"
    let advice = "keep both clocks by NTP (timedatectl set-ntp true), and see which is wrong"
    if apart > 60_000 + uncertaintyMs.magnitude { return .failure("clock", text, advice) }
    if apart > 2_000 + uncertaintyMs.magnitude { return .warning("clock", text, advice) }
    return .ok("clock", text)
  }

  /// Judges the newest backup of a folder, nil when there is none; older than `hoursMax` it is too old.
  package static func backup(
    in folder: String,
    newest file: String?,
    ageHours: Int64,
    hoursMax: Int64,
    isDatabase: Bool
  ) -> Finding {
    let advice = "run madang backup by a timer, and look at what it says"
    guard let file else { return .failure("backup", "\(folder) has no file .sqlite", advice) }
    let text = "the newest backup, \(file), is \(ageHours) hours old"
    guard isDatabase else { return .failure("backup", "\(file), the newest backup, is no SQLite database", advice) }
    if ageHours > 7 * hoursMax { return .failure("backup", text, advice) }
    if ageHours > hoursMax { return .warning("backup", "\(text), over \(hoursMax)", advice) }
    return .ok("backup", text)
  }

  private static func tenths(_ bytes: UInt64) -> String { "\(bytes / gib).\(bytes % gib * 10 / gib)" }
}

/// Rules for what is seen from outside.
package enum OutsideJudgement {
  private static let renewal =
    "renew it, have the renewal run by a timer, and let it reload the proxy or kill -HUP madang"

  /// Judges a certificate at `nowS`, seconds since 1970. `failure` says why it is not trusted; nil when it is.
  package static func certificate(_ certificate: ProbedCertificate, host: String, failure: String?, nowS: Int64)
    -> Finding
  {
    let leftS = certificate.validToS - nowS
    let lifeS = certificate.validToS - certificate.validFromS
    let names = certificate.names.joined(separator: ", ").printable(200)
    if certificate.validToS <= nowS {
      return .failure("certificate", "the certificate ended \(span(-leftS)) ago", renewal)
    }
    if certificate.validFromS > nowS {
      return .failure("certificate", "the certificate is not valid yet", "correct this machine's clock, or wait")
    }
    if let failure {
      if failure.contains("subject name") || failure.contains("not match") {
        return .failure(
          "certificate",
          "the certificate is for \(names.isEmpty ? "no name" : names), not for \(host)",
          "use a certificate for \(host), or the address that it is for"
        )
      }
      return .failure(
        "certificate",
        "the certificate is not trusted: \(failure)",
        "send the whole chain (fullchain.pem), by an authority that phones know"
      )
    }
    let text = "valid for \(span(leftS)), for \(names)"
    // Renewals come when a third of the life is left: of 90 days, of six, and of an own authority's twelve hours.
    if leftS < min(7 * dayS, lifeS / 12) { return .failure("certificate", text, renewal) }
    if leftS < min(21 * dayS, lifeS / 4) { return .warning("certificate", text, renewal) }
    return .ok("certificate", text)
  }

  private static let dayS: Int64 = 86_400

  private static func span(_ seconds: Int64) -> String {
    seconds < 3 * dayS ? "\(seconds / 3_600) hours" : "\(seconds / dayS) days"
  }

  /// Judges a URL without TLS: browsers give positions to secure pages alone, but for the loopback's.
  package static func plain(host: String) -> Finding {
    let text = "\(host) is served without TLS"
    if host == "localhost" || IPAddress(host)?.isLoopback == true {
      return .ok("tls", "\(text), on this machine alone")
    }
    let advice = "serve https: browsers give no position to a page without it, and everybody on the way reads along"
    if let ip = IPAddress(host), !ip.isPublic { return .warning("tls", text, advice) }
    return .failure("tls", text, advice)
  }

  /// Judges the address that the server takes this client for, `seen`. `own` is this end of the connection, `server`
  /// the other one: the server's, or its proxy's.
  package static func client(seen: IPAddress, own: IPAddress, server: IPAddress) -> Finding {
    let name = "client-address"
    if seen == own { return .ok(name, "the server sees this client's own address, \(seen)") }
    if seen == server || seen.isLoopback || !seen.isPublic && server.isPublic {
      return .failure(
        name,
        "the server sees \(seen) in place of \(own): all players would share one address's limits",
        "name the proxy in --trusted-proxies, and have it send X-Forwarded-For or, with --proxy-protocol, a PROXY header"
      )
    }
    if seen.isPublic, !own.isPublic { return .ok(name, "the server sees \(seen), from where this network goes out") }
    return .warning(
      name,
      "the server sees \(seen), and this client has \(own)",
      "where no router translates addresses between, a proxy is missing from --trusted-proxies"
    )
  }

  /// An address of documentation (RFC 5737), which nobody has: what the doctor pretends to be.
  package static let forgedAddress = "192.0.2.77"

  /// Judges whether the server believes what a client says of its own address: `seen` is its answer to a request that
  /// says it comes from `forgedAddress`.
  package static func forgery(seen: IPAddress, own: IPAddress, server: IPAddress) -> Finding {
    let name = "forgery"
    guard "\(seen)" == forgedAddress else { return .ok(name, "a forged X-Forwarded-For is not believed") }
    if own == server {
      return .warning(
        name,
        "this machine's forged X-Forwarded-For is believed, as a proxy's is",
        "run the doctor on another machine, or by another address (--from)"
      )
    }
    return .failure(
      name,
      "a forged X-Forwarded-For is believed: a client escapes every limit of its address, and uses up others'",
      "name single proxies in --trusted-proxies, no network that clients are in, and have the outermost one set the field"
    )
  }

  /// Judges whether join links lead where the server was asked: `asked` and `named` are bases like
  /// `https://play.example.org`. `answers` says whether a server is at the named one; nil where that was not asked.
  package static func links(asked: String, named: String, isFixed: Bool, answers: Bool?) -> Finding {
    if named == asked { return .ok("links", "join links and QRs name \(named)") }
    let text = "join links and QRs name \(named), not \(asked)"
    let advice =
      isFixed
      ? "set --public-url \(asked), or use the address that it has"
      : "set --public-url \(asked), or have the proxy pass Host (with the port) and X-Forwarded-Proto on"
    return answers == true
      ? .warning("links", text, advice) : .failure("links", "\(text), where nothing answers", advice)
  }

  /// Judges the answer to a request for a WebSocket.
  package static func upgrade(status: Int) -> Finding {
    let text = "a WebSocket is answered with status \(status)"
    let advice =
      switch status {
      case 400, 404, 426, 200:
        "have the proxy pass Upgrade and Connection on, by HTTP/1.1: see the recipes in docs/OPERATING.md"
      case 403: "the server or the proxy refuses: see --allowed-origins"
      case 429: "the limits of this address are used up: wait a minute"
      case 502, 503, 504: "the proxy does not reach the server, or the server ends: see both logs"
      default: "see the proxy's log"
      }
    return .failure("upgrade", text, advice)
  }
}

extension IPAddress {
  /// Whether anybody can reach the address.
  package var isPublic: Bool {
    isV4
      ? AddressPolicy.publicOnly.allows(v4: UInt32(truncatingIfNeeded: low))
      : AddressPolicy.publicOnly.allows(v6High: high, low: low)
  }
}
