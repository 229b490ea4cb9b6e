// The use of each rate in the table of budgets, for each payer.
//
// Guarded by a lock of its own that is held for a few dictionary steps. All shards share it, so a client gains nothing
// by changing shards. A refused charge is not counted as use.
import Game
import MadangProtocol
import Net

/// The payer of a charge.
package enum Payer: Hashable, Sendable {
  case player(PlayerID)
  case address(IPAddress)
  case room(RoomCode)
  case account(String)
  case accountFromAddress(String, IPAddress)
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

/// A budget's use, as operators see it.
package struct BudgetUse: Sendable {
  /// The highest use of one payer in the last minute or two; for an amount, the current use.
  package var used: Int64 = 0
  /// The number of refusals.
  package var refusals = 0
}

package final class Budgets: Sendable {
  private struct State {
    var tables = ContiguousArray(repeating: BudgetTable(), count: Budget.allCases.count)

    /// The longest wait of these charges, in milliseconds; nil where all can be paid. Each charge that can't be paid
    /// counts as a refusal.
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
  /// - Returns: the milliseconds to wait where one budget is spent; nil where all was paid.
  package func pay(_ charges: Charge..., at now: Timestamp) -> UInt32? { pay(charges, at: now) }

  package func pay(_ charges: [Charge], at now: Timestamp) -> UInt32? {
    let (charges, now) = (counted(charges), Instant(now))
    return state.withLock { state in
      if let wait = state.wait(for: charges, at: now) { return wait }
      for charge in charges { state.tables[charge.budget.rawValue].use(charge, at: now) }
      return nil
    }
  }

  /// Uses these budgets even where they are spent: the next payer waits for it.
  package func charge(_ charges: Charge..., at now: Timestamp) {
    let (charges, now) = (counted(charges), Instant(now))
    state.withLock { state in
      for charge in charges { state.tables[charge.budget.rawValue].use(charge, at: now) }
    }
  }

  /// The milliseconds until each of these budgets has something left; nil where that is now. A wait counts as a
  /// refusal.
  package func wait(_ charges: Charge..., at now: Timestamp) -> UInt32? {
    let (charges, now) = (counted(charges), Instant(now))
    return state.withLock { $0.wait(for: charges, at: now) }
  }

  /// Gives back units that were paid for nothing.
  package func giveBack(_ charges: Charge...) {
    let charges = counted(charges)
    state.withLock { state in
      for charge in charges { state.tables[charge.budget.rawValue].giveBack(charge) }
    }
  }

  /// Counts a refusal for an amount that is spent.
  package func noteRefusal(_ budget: Budget) {
    state.withLock { $0.tables[budget.rawValue].refusals += 1 }
  }

  /// The uses of all budgets, in the budgets' order.
  package func uses(at now: Timestamp) -> [BudgetUse] {
    state.withLock { state in
      Budget.allCases.map { state.tables[$0.rawValue].use(at: Instant(now)) }
    }
  }

  /// The charges that count: addresses become networks, and the loopback is exempt from some budgets.
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

// New guests: a common rate, with a share reserved for light networks.
extension Budgets {
  /// One in this number of the burst is reserved for networks with few recent guests.
  private static let lightShareOfBurst: Int64 = 2
  /// Uses a place for a guest who may be new. Networks with many guests can't use up the share of networks with few.
  ///
  /// - Returns: the milliseconds to wait; nil where the guest may be made.
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

  /// Gives back the place of a guest who was not new after all. The address's allowance of light guests stays used.
  /// Otherwise hellos of known devices would make the address light again.
  package func giveBackNewGuest(from address: IPAddress) {
    guard limitsLoopback || !address.isLoopback else { return }
    giveBack(
      Charge(budget: .newGuestsOfAddress, payer: .address(address)),
      Charge(budget: .newGuests, payer: .process)
    )
  }
}
