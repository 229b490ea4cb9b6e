// The quota of HTTP requests, or of upgrades, for each address in a minute, for all shards of a process.
//
// Guards itself: asked once for a request or an upgrade, never on a message's path. Addresses are counted as
// `IPAddress.subscriberNetwork`. It keeps only addresses whose pace is not full, at most `addressesMax`.
import Locks

package final class RequestQuota: Sendable {
  package enum Verdict: Equatable, Sendable {
    case admitted
    case refused(retryAfterSeconds: Int)
  }

  private struct Paces {
    var byAddress: [IPAddress: RequestPace] = [:]
    var refusals = 0
    /// The number of addresses that starts a search for full paces, and the earliest time for it.
    var sweepCount = RequestQuota.sweepCountMin
    var sweepNotBefore = Timestamp(microseconds: 0)
  }

  /// The most addresses kept, 48 bytes each. An address is forgotten 10 ms after its only request, so as many at once
  /// are a crowd of 100,000s.
  package static let addressesMax = 65_536
  private static let sweepCountMin = 1_024

  private let fresh: RequestPace
  private let limitsLoopback: Bool
  private let paces = OrderedMutex(.leaf, Paces())

  /// As many requests in a minute as at once.
  package init(perMinute: Int, limitsLoopback: Bool) {
    fresh = RequestPace(perMinute: perMinute, burst: perMinute)
    self.limitsLoopback = limitsLoopback
  }

  /// The number of refusals so far.
  package var refusals: Int { paces.withLock { $0.refusals } }

  /// The most that any address has used of its burst.
  package func mostUsed(at now: Timestamp) -> Int {
    paces.withLock { $0.byAddress.values.reduce(0) { max($0, $1.used(at: now)) } }
  }

  /// The number of addresses kept.
  package var addressCount: Int { paces.withLock { $0.byAddress.count } }

  /// Counts a request. An address for which there is no room goes uncounted: a crowd that fills the room asks little by
  /// each address.
  package func admit(_ address: IPAddress, at now: Timestamp) -> Verdict {
    guard limitsLoopback || !address.isLoopback else { return .admitted }
    let address = address.subscriberNetwork
    return paces.withLock { paces in
      var pace = paces.byAddress[address] ?? fresh
      guard pace.take(at: now) else {
        paces.refusals += 1
        return .refused(retryAfterSeconds: Int((pace.waitMicroseconds(at: now) + 999_999) / 1_000_000))
      }
      if paces.byAddress[address] == nil {
        Self.sweep(&paces, at: now)
        guard paces.byAddress.count < Self.addressesMax else { return .admitted }
      }
      paces.byAddress[address] = pace
      return .admitted
    }
  }

  /// Forgets addresses whose pace is full. The bound doubles with the remaining addresses, so that a search costs
  /// little for each; at the highest bound there is one search a second.
  private static func sweep(_ paces: inout Paces, at now: Timestamp) {
    guard paces.byAddress.count >= paces.sweepCount, now >= paces.sweepNotBefore else { return }
    paces.byAddress = paces.byAddress.filter { !$0.value.isFull(at: now) }
    paces.sweepCount = min(addressesMax, max(sweepCountMin, paces.byAddress.count * 2))
    paces.sweepNotBefore = paces.byAddress.count * 2 < addressesMax ? now : now.advanced(seconds: 1)
  }
}
