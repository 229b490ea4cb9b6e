// The use of each rate in the table of budgets, for each payer.
//
// Guarded by a lock of its own that is held for a few dictionary steps. All shards share it, so a client gains nothing
// by changing shards. A refused charge is not counted as use.
import Game
import Locks
import MadangProtocol
import Net

/// The payer of a charge.
package enum Payer: Hashable, Sendable {
  case player(PlayerID)
  case address(IPAddress)
  /// By the group's id.
  case group(UInt64)
  /// By a feature's own text.
  case key(String)
  case keyFromAddress(String, IPAddress)
  case process
}

/// A payer's use of a budget.
package struct Charge: Sendable {
  package let budget: Budget
  package let payer: Payer
  package var units: Int64 = 1

  package init(budget: Budget, payer: Payer, units: Int64 = 1) {
    self.budget = budget
    self.payer = payer
    self.units = units
  }
}

/// The use of a rate, as operators see it.
package struct BudgetUse: Sendable {
  /// The highest use of one payer in the last minute or two.
  package var used: Int64 = 0
  /// The number of refusals; for an amount, those that `Budgets` knows of.
  package var refusals = 0
}

/// The current use of an amount.
package struct BudgetAmount: Sendable {
  package let budget: Budget
  package let used: Int
  package let bound: Int
  /// The refusals that another layer counts.
  package let refusals: Int

  package init(_ budget: Budget, used: Int, bound: Int, refusals: Int = 0) {
    self.budget = budget
    self.used = used
    self.bound = bound
    self.refusals = refusals
  }
}

package final class Budgets: Sendable {
  private struct State {
    private var tables: ContiguousArray<BudgetTable> = []

    subscript(_ budget: Budget) -> BudgetTable {
      _read {
        if budget.index < tables.count { yield tables[budget.index] } else { yield BudgetTable() }
      }
      _modify {
        while tables.count <= budget.index { tables.append(BudgetTable()) }
        yield &tables[budget.index]
      }
    }

    /// The longest wait of these charges, in milliseconds; nil where all can be paid. Each charge that can't be paid
    /// counts as a refusal.
    mutating func wait(for charges: [Charge], at now: Instant) -> UInt32? {
      var longest = Duration.zero
      for charge in charges {
        let wait = self[charge.budget].wait(charge, at: now)
        if wait > .zero { self[charge.budget].refusals += 1 }
        longest = max(longest, wait)
      }
      return longest == .zero ? nil : max(1, longest.wireMilliseconds)
    }
  }

  private let state = OrderedMutex(.leaf, State())
  private let limitsLoopback: Bool

  package init(limitsLoopback: Bool) {
    self.limitsLoopback = limitsLoopback
  }

  /// Uses all of these budgets, or none of them.
  ///
  /// - Returns: the milliseconds to wait where one budget is spent; nil where all was paid.
  package func pay(_ charges: Charge..., at now: Timestamp) -> UInt32? { pay(charges, at: now) }

  package func pay(_ charges: [Charge], at now: Timestamp) -> UInt32? {
    let (charges, now) = (counted(charges), Instant(now))
    return state.withLock { state in
      if let wait = state.wait(for: charges, at: now) { return wait }
      for charge in charges { state[charge.budget].use(charge, at: now) }
      return nil
    }
  }

  /// Uses these budgets even where they are spent: the next payer waits for it.
  package func charge(_ charges: Charge..., at now: Timestamp) { charge(charges, at: now) }

  package func charge(_ charges: [Charge], at now: Timestamp) {
    let (charges, now) = (counted(charges), Instant(now))
    state.withLock { state in
      for charge in charges { state[charge.budget].use(charge, at: now) }
    }
  }

  /// The milliseconds until each of these budgets has something left; nil where that is now. A wait counts as a
  /// refusal.
  package func wait(_ charges: Charge..., at now: Timestamp) -> UInt32? {
    let (charges, now) = (counted(charges), Instant(now))
    return state.withLock { $0.wait(for: charges, at: now) }
  }

  /// Gives back units that were paid for nothing.
  package func giveBack(_ charges: Charge...) { giveBack(charges) }

  package func giveBack(_ charges: [Charge]) {
    let charges = counted(charges)
    state.withLock { state in
      for charge in charges { state[charge.budget].giveBack(charge) }
    }
  }

  /// Counts a refusal for an amount that is spent.
  package func noteRefusal(_ budget: Budget) {
    state.withLock { $0[budget].refusals += 1 }
  }

  /// The use of a budget.
  package func use(of budget: Budget, at now: Timestamp) -> BudgetUse {
    state.withLock { $0[budget].use(at: Instant(now)) }
  }

  /// Whether a charge counts: the loopback is exempt from some budgets.
  package func counts(_ charge: Charge) -> Bool {
    guard case .address(let address) = charge.payer, charge.budget.exemptsLoopback else { return true }
    return limitsLoopback || !address.isLoopback
  }

  /// The charges that count.
  private func counted(_ charges: [Charge]) -> [Charge] {
    charges.compactMap { counts($0) ? network($0) : nil }
  }

  /// The charge with an address's network in its place.
  private func network(_ charge: Charge) -> Charge {
    switch charge.payer {
    case .address(let address):
      Charge(budget: charge.budget, payer: .address(address.subscriberNetwork), units: charge.units)
    case .keyFromAddress(let key, let address):
      Charge(
        budget: charge.budget,
        payer: .keyFromAddress(key, address.subscriberNetwork),
        units: charge.units
      )
    case .player, .group, .key, .process: charge
    }
  }
}

// A common rate, with a share reserved for light payers.
extension Budgets {
  /// One in this number of the burst is reserved for light payers.
  private static let lightShareOfBurst: Int64 = 2

  /// Uses a common budget and the payer's `own`. A payer whose `light` budget is spent leaves the reserved share of the
  /// common budget alone.
  ///
  /// - Returns: the milliseconds to wait; nil where all was paid, or where the payer is exempt.
  package func pay(_ common: Charge, of own: Charge, light: Charge, at now: Timestamp) -> UInt32? {
    guard counts(own) else { return nil }
    let (own, light, now) = (network(own), network(light), Instant(now))
    return state.withLock { state in
      let isLight = state[light.budget].wait(light, at: now) == .zero
      var needed = common
      if !isLight { needed.units = (common.budget.rate?.burst ?? 0) / Self.lightShareOfBurst }
      let wait = max(state[own.budget].wait(own, at: now), state[common.budget].wait(needed, at: now))
      guard wait == .zero else {
        state[common.budget].refusals += 1
        return max(1, wait.wireMilliseconds)
      }
      state[own.budget].use(own, at: now)
      if isLight { state[light.budget].use(light, at: now) }
      state[common.budget].use(common, at: now)
      return nil
    }
  }
}
