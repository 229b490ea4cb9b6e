// Every budget of the server, and its present use.
//
// On the first shard's queue, on request.
import Gateway

package enum BudgetCatalogue {
  package static var all: [Budget] { Budget.ofGateway + PlayService.features.flatMap { $0.budgets } }
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
    let amounts = gateway.amounts.map { amount in
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
