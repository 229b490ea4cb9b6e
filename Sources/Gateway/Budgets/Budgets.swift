// Who has used how much of each rate in the table of budgets.
//
// Guarded by a lock of its own that is held for a few dictionary steps, for all shards together: a client that goes from one
// shard to another may do no more. What is over a budget is not counted.
import Game
import MadangProtocol
import Net

/// Whose allowance something is charged to.
package enum Payer: Hashable, Sendable {
  case player(PlayerID)
  case address(IPAddress)
  case room(RoomCode)
  case account(String)
  case accountFromAddress(String, IPAddress)
  case process
}

/// A use of a budget by somebody.
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

/// What operators see of a budget.
package struct BudgetUse: Sendable {
  /// The most that anyone had used of it at once, in the last minute or two; of an amount, what there is now.
  package var used: Int64 = 0
  /// How often somebody was refused for it.
  package var refusals = 0
}

package final class Budgets: Sendable {
  private struct State {
    var tables = ContiguousArray(repeating: BudgetTable(), count: Budget.allCases.count)

    /// The longest wait of these charges, milliseconds; nil where all can be paid. Each that can't is counted as a refusal.
    mutating func wait(for charges: [Charge], at now: Instant) -> UInt32? {
      var longest = Duration.zero
      for charge in charges {
        let wait = tables[charge.budget.rawValue].wait(charge, at: now)
        if wait > .zero { tables[charge.budget.rawValue].refusals += 1 }
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
  /// - Returns: how many milliseconds to wait where one is spent; nil where all was paid.
  package func pay(_ charges: Charge..., at now: Timestamp) -> UInt32? { pay(charges, at: now) }

  package func pay(_ charges: [Charge], at now: Timestamp) -> UInt32? {
    let (charges, now) = (counted(charges), Instant(now))
    return state.withLock { state in
      if let wait = state.wait(for: charges, at: now) { return wait }
      for charge in charges { state.tables[charge.budget.rawValue].use(charge, at: now) }
      return nil
    }
  }

  /// Uses these budgets even where they are spent: the next to pay waits for it.
  package func charge(_ charges: Charge..., at now: Timestamp) {
    let (charges, now) = (counted(charges), Instant(now))
    state.withLock { state in
      for charge in charges { state.tables[charge.budget.rawValue].use(charge, at: now) }
    }
  }

  /// How many milliseconds until something may be used of each of these; nil where that is now. A wait is counted as a
  /// refusal.
  package func wait(_ charges: Charge..., at now: Timestamp) -> UInt32? {
    let (charges, now) = (counted(charges), Instant(now))
    return state.withLock { $0.wait(for: charges, at: now) }
  }

  /// Takes back what was paid for nothing.
  package func giveBack(_ charges: Charge...) {
    let charges = counted(charges)
    state.withLock { state in
      for charge in charges { state.tables[charge.budget.rawValue].giveBack(charge) }
    }
  }

  /// Somebody was refused for an amount that is spent.
  package func noteRefusal(_ budget: Budget) {
    state.withLock { $0.tables[budget.rawValue].refusals += 1 }
  }

  /// By budgets, in their order.
  package func uses(at now: Timestamp) -> [BudgetUse] {
    state.withLock { state in
      Budget.allCases.map { state.tables[$0.rawValue].use(at: Instant(now)) }
    }
  }

  /// Addresses are counted by networks; the loopback is exempt from some budgets.
  private func counted(_ charges: [Charge]) -> [Charge] {
    charges.compactMap { charge in
      switch charge.payer {
      case .address(let address):
        if charge.budget.exemptsLoopback, address.isLoopback, !limitsLoopback { return nil }
        return Charge(budget: charge.budget, payer: .address(address.subscriberNetwork), units: charge.units)
      case .accountFromAddress(let account, let address):
        return Charge(
          budget: charge.budget,
          payer: .accountFromAddress(account, address.subscriberNetwork),
          units: charge.units
        )
      case .player, .room, .account, .process: return charge
      }
    }
  }
}

// New guests: a pace for all of them, of which light networks keep a part.
extension Budgets {
  /// So much of the process's burst is for networks that have brought few guests lately.
  private static let lightShareOfBurst: Int64 = 2
  /// Uses a place for a guest who may be new. Networks that bring many can't use up what is kept for those that bring few.
  ///
  /// - Returns: how many milliseconds to wait; nil where the guest may be made.
  package func payForNewGuest(from address: IPAddress, at now: Timestamp) -> UInt32? {
    guard limitsLoopback || !address.isLoopback else { return nil }
    let own = Charge(budget: .newGuestsOfAddress, payer: .address(address.subscriberNetwork))
    let light = Charge(budget: .newGuestsOfLightAddress, payer: own.payer)
    let all = Charge(budget: .newGuests, payer: .process)
    let now = Instant(now)
    return state.withLock { state in
      let isLight = state.tables[light.budget.rawValue].wait(light, at: now) == .zero
      let burst = Budget.newGuests.rate?.burst ?? 0
      let needed = isLight ? all : Charge(budget: .newGuests, payer: .process, units: burst / Self.lightShareOfBurst)
      let wait = max(
        state.tables[own.budget.rawValue].wait(own, at: now),
        state.tables[all.budget.rawValue].wait(needed, at: now)
      )
      guard wait == .zero else {
        state.tables[all.budget.rawValue].refusals += 1
        return max(1, wait.wireMilliseconds)
      }
      state.tables[own.budget.rawValue].use(own, at: now)
      if isLight { state.tables[light.budget.rawValue].use(light, at: now) }
      state.tables[all.budget.rawValue].use(all, at: now)
      return nil
    }
  }

  /// The guest was not new after all. The address's allowance of light guests stays used, or hellos of known devices would
  /// make the address light again.
  package func giveBackNewGuest(from address: IPAddress) {
    guard limitsLoopback || !address.isLoopback else { return }
    giveBack(
      Charge(budget: .newGuestsOfAddress, payer: .address(address)),
      Charge(budget: .newGuests, payer: .process)
    )
  }
}
