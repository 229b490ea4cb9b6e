// Every budget of the server, and its present use.
//
// On the first shard's thread, on request.
import Gateway

package enum BudgetCatalogue {
  /// The budgets of all features. A feature's folder has its budgets; a new list has its place here.
  package static var all: [Budget] { Budget.ofGateway + Budget.ofAccounts + Budget.ofRooms + Budget.ofTaps }
}

extension Operations {
  var budgetRows: [BudgetRow] {
    let (budgets, now) = (gateway.budgets, gateway.core.now)
    let rates = BudgetCatalogue.all.compactMap { budget in
      budget.rate.map { rate in
        let use = budgets.use(of: budget, at: now)
        return BudgetRow(budget: budget, bound: rate.burst, used: use.used, refusals: use.refusals)
      }
    }
    let amounts = (gateway.amounts + accounts.amounts).map { amount in
      BudgetRow(
        budget: amount.budget,
        bound: Int64(amount.bound),
        used: Int64(amount.used),
        refusals: amount.refusals + budgets.use(of: amount.budget, at: now).refusals
      )
    }
    return rates + amounts
  }
}
