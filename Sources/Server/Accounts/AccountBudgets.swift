// The budgets of accounts: sessions, guests, passwords, deletions.
import Gateway
import MadangProtocol
import Net

extension Budget {
  static let hellos = Budget(
    "HELLOS",
    for: .address,
    .perMinute(Limits.hellosPerMinuteForAddress),
    exemptsLoopback: true
  )
  static let newGuestsOfAddress = Budget(
    "NEW_GUESTS",
    for: .address,
    .perMinute(Limits.newGuestsPerMinuteForAddress),
    exemptsLoopback: true
  )
  // Enough for a family, or for a phone and its browser tabs.
  static let newGuestsOfLightAddress = Budget("LIGHT_NEW_GUESTS", for: .address, .perMinute(30), exemptsLoopback: true)
  // Each guest is a row with its indexes. A guest that leaves nothing behind is forgotten after two to three days.
  static let newGuests = Budget("NEW_GUESTS", for: .process, .perMinute(6_000))
  static let deletions = Budget("DELETIONS", for: .address, .perMinute(Limits.deletionsPerMinuteForAddress))
  static let passwordsOfEmailFromAddress = Budget(
    "WRONG_PASSWORDS",
    for: .keyFromAddress,
    .perMinute(Limits.wrongPasswordsPerMinuteForEmailFromAddress)
  )
  static let passwordsOfEmail = Budget(
    "WRONG_PASSWORDS",
    for: .key,
    .perMinute(Limits.wrongPasswordsPerMinuteForEmail)
  )
  static let passwordsOfAddress = Budget("PASSWORDS", for: .address, .perMinute(Limits.passwordsPerMinuteForAddress))

  // Amounts.
  static let waitingPasswords = Budget(amountOf: "WAITING_PASSWORDS", for: .process)
  static let waitingPasswordsOfAddress = Budget(amountOf: "WAITING_PASSWORDS", for: .address)

  static let ofAccounts: [Budget] = [
    .hellos, .newGuestsOfAddress, .newGuestsOfLightAddress, .newGuests, .deletions, .passwordsOfEmailFromAddress,
    .passwordsOfEmail, .passwordsOfAddress, .waitingPasswords, .waitingPasswordsOfAddress,
  ]
}

extension Accounts {
  package var amounts: [BudgetAmount] {
    let waiting = passwords.waiting
    return [
      BudgetAmount(.waitingPasswords, used: waiting.inAll, bound: HashingQueue.waitingMax),
      BudgetAmount(.waitingPasswordsOfAddress, used: waiting.ofNetwork, bound: HashingQueue.waitingMaxOfNetwork),
    ]
  }
}

// New guests: a common rate, with a share reserved for light networks.
extension Budgets {
  /// Uses a place for a guest who may be new. Networks with many guests can't use up the share of networks with few.
  ///
  /// - Returns: the milliseconds to wait; nil where the guest may be made.
  func payForNewGuest(from address: IPAddress, at now: Timestamp) -> UInt32? {
    pay(
      Charge(budget: .newGuests, payer: .process),
      of: Charge(budget: .newGuestsOfAddress, payer: .address(address)),
      light: Charge(budget: .newGuestsOfLightAddress, payer: .address(address)),
      at: now
    )
  }

  /// Gives back the place of a guest who was not new after all. The address's allowance of light guests stays used.
  /// Otherwise hellos of known devices would make the address light again.
  func giveBackNewGuest(from address: IPAddress) {
    // The loopback has paid nothing.
    let own = Charge(budget: .newGuestsOfAddress, payer: .address(address))
    guard counts(own) else { return }
    giveBack(own, Charge(budget: .newGuests, payer: .process))
  }
}
