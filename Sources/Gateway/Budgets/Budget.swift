// A budget: a bound for each stranger, or for all strangers together, on a resource that others pay for. A value.
//
// Each feature's folder has the feature's budgets. docs/BUDGETS.md and /metrics show the same rows; a test holds them
// together. A budget that lies in another layer (connections, unsent bytes, the data folder) has its bound there, and
// its row among the gateway's.
import Synchronization

/// A bound for each connection, group, player, address or key, or for the whole process.
package struct Budget: Sendable {
  /// The kind of payer that a budget bounds.
  package enum Scope: String, Sendable {
    case player = "PLAYER"
    /// A group of players.
    case group = "ROOM"
    /// An IPv4 address, or an IPv6 /64.
    case address = "ADDRESS"
    /// A text that a feature knows a payer by.
    case key = "ACCOUNT"
    /// Such a text, tried from one address.
    case keyFromAddress = "ACCOUNT_FROM_ADDRESS"
    /// An operators' token, by its name.
    case token = "TOKEN"
    case process = "PROCESS"
  }

  /// The refill rule of an allowance.
  package struct Rate: Sendable, Equatable {
    /// The units that may be used at once.
    package let burst: Int64
    /// The units that come back in each period.
    package let perPeriod: Int64
    package let periodMs: Int64

    package static func perMinute(_ count: Int, burst: Int? = nil) -> Rate {
      Rate(burst: Int64(burst ?? count), perPeriod: Int64(count), periodMs: 60_000)
    }

    package static func perDay(_ count: Int) -> Rate {
      Rate(burst: Int64(count), perPeriod: Int64(count), periodMs: 86_400_000)
    }

    package static func perHour(_ count: Int64, burst: Int64) -> Rate {
      Rate(burst: burst, perPeriod: count, periodMs: 3_600_000)
    }
  }

  /// The name of the resource in documents and in the label `budget` of metrics.
  package let resource: String
  package let scope: Scope
  /// Nil for an amount.
  package let rate: Rate?
  /// Whether charges from the loopback are free: load tests, tools and undeclared proxies run there.
  package let exemptsLoopback: Bool
  /// The budget's place in the tables of `Budgets`: a charge finds its table without hashing.
  let index: Int

  private static let count = Atomic<Int>(0)

  /// A rate, counted by `Budgets`.
  package init(_ resource: String, for scope: Scope, _ rate: Rate, exemptsLoopback: Bool = false) {
    self.init(resource, scope, rate, exemptsLoopback)
  }

  /// An amount: the current use.
  package init(amountOf resource: String, for scope: Scope) {
    self.init(resource, scope, nil, false)
  }

  private init(_ resource: String, _ scope: Scope, _ rate: Rate?, _ exemptsLoopback: Bool) {
    self.resource = resource
    self.scope = scope
    self.rate = rate
    self.exemptsLoopback = exemptsLoopback
    index = Self.count.add(1, ordering: .relaxed).oldValue
  }
}

extension Budget: Equatable {
  package static func == (one: Budget, other: Budget) -> Bool { one.index == other.index }
}

extension Budget: CustomStringConvertible {
  package var description: String { "\(resource) of \(scope.rawValue)" }
}
